package client

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"time"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/services/auth/internal/platform/account"
	"vitae.internal/services/auth/internal/platform/app"
)

// ErrInvalid is returned both for an unknown client and for a failed authentication.
var ErrInvalid = errs.New(errs.Unauthenticated, "OAUTH_INVALID_CLIENT", "Client authentication failed.")

// ErrNotLegacy is returned for a client that may not use the legacy interface.
var ErrNotLegacy = errs.New(errs.Unauthenticated, ErrInvalid.Code, "This client may not use the older interface.")

// Client is an app in its role as an OAuth client.
type Client struct {
	App app.App
	// Secrets are the live secrets. A public client has no secret.
	Secrets []Secret
	// Suspended is true if the developer account is suspended.
	Suspended bool
	// Publisher describes the developer account, as shown to people.
	Publisher Publisher
}

// Publisher describes who publishes an app.
type Publisher struct {
	Name string
	// Verified reports whether operators have verified the publisher's identity.
	Verified bool
	// Own is true for Vitae's console.
	Own bool
}

// Secret is one of a client's live secrets.
type Secret struct {
	// Hash is the secret's SHA-256.
	Hash []byte
	// ToNote is the secret's id if its last recorded use was at least 59 minutes ago, so that the current use must
	// be recorded. Otherwise it is "".
	ToNote string
}

// Credentials are the client id and secret with which a client authenticates. Secret is empty if the request
// contains none (RFC 6749 §2.3.1).
type Credentials struct {
	ID     string
	Secret string
}

// Known reports whether the client id is well formed.
func (c Credentials) Known() bool { return credential.WellFormed(credential.ClientID, c.ID) }

// Proof lets the store check the secret in the same statement that issues tokens: the store compares SHA-256(stored
// hash || Nonce) with Sum. The nonce is random, so the duration of the comparison reveals nothing about the hash.
type Proof struct {
	ClientID string
	Nonce    []byte
	// Sum is nil if the request contains no secret, which is correct only for a public client.
	Sum []byte
}

// Prove returns a proof of the credentials.
func (c Credentials) Prove() Proof {
	p := Proof{ClientID: c.ID, Nonce: make([]byte, sha256.Size)}
	rand.Read(p.Nonce) // rand.Read never fails since Go 1.24
	if c.Secret != "" {
		hash := credential.Hash(c.Secret)
		sum := sha256.Sum256(append(hash[:], p.Nonce...))
		p.Sum = sum[:]
	}
	return p
}

// verify returns the secret that matches the credentials, or the zero Secret for a public client. It compares each
// secret in constant time, so the duration reveals nothing about the hashes. Each additional secret changes it by
// less than a microsecond.
func (c Client) verify(given Credentials) (Secret, error) {
	if c.App.ClientType == app.Public {
		if given.Secret != "" {
			return Secret{}, ErrInvalid
		}
		return Secret{}, nil
	}
	hash, held := credential.Hash(given.Secret), -1
	for i, s := range c.Secrets {
		held = subtle.ConstantTimeSelect(subtle.ConstantTimeCompare(hash[:], s.Hash), i, held)
	}
	if held < 0 {
		return Secret{}, ErrInvalid
	}
	return c.Secrets[held], nil
}

// MayUseLegacy reports whether the client may use the legacy interface, which requires that its app is marked as
// legacy and has a secret. The legacy interface has no PKCE, so anyone could redeem the codes of an app without a
// secret (behaviour: legacy#eligible-apps).
func (c Client) MayUseLegacy() bool {
	return c.App.Legacy && c.App.ClientType == app.Confidential
}

// MayUseGrants reports whether the client may get tokens, which requires at least one user scope. An app that uses
// only API keys or the legacy interface has none (behaviour: sign-in#apps-without-user-scopes).
func (c Client) MayUseGrants() bool { return len(c.App.Scopes) > 0 }

// Store reads clients.
type Store interface {
	// Client returns the client with the given id and its live secrets. Errors: ErrInvalid.
	Client(ctx context.Context, clientID string, now time.Time) (Client, error)
	Notes
}

// Notes records when secrets are used.
type Notes interface {
	// NoteSecretUse records that a secret was used now.
	NoteSecretUse(ctx context.Context, id string, now time.Time) error
}

// AuthenticateLegacy authenticates a client of the legacy interface. Errors: ErrInvalid, ErrNotLegacy,
// account.ErrSuspended. It also returns the client if the error is account.ErrSuspended.
func AuthenticateLegacy(ctx context.Context, store Store, given Credentials, now time.Time) (Client, error) {
	c, err := Authenticate(ctx, store, given, now)
	if (err == nil || errors.Is(err, account.ErrSuspended)) && !c.MayUseLegacy() {
		err = ErrNotLegacy
	}
	return c, err
}

// Authenticate reads a client and checks its credentials. Errors: ErrInvalid, account.ErrSuspended.
func Authenticate(ctx context.Context, store Store, given Credentials, now time.Time) (Client, error) {
	if !given.Known() {
		return Client{}, ErrInvalid
	}
	c, err := store.Client(ctx, given.ID, now)
	if err != nil {
		return Client{}, err
	}
	return c, c.Check(ctx, store, given, now)
}

// Check authenticates a client that was read by the id in the credentials, and records that its secret was used. The
// audit event always names the app. It names the app as the actor only if a secret proved that, because anyone can
// send a client id. Errors: ErrInvalid, account.ErrSuspended.
func (c Client) Check(ctx context.Context, notes Notes, given Credentials, now time.Time) error {
	about := audit.About{AppID: c.App.ID, AccountID: c.App.AccountID}
	held, err := c.verify(given)
	if held.Hash != nil {
		about.By = audit.ByApp(c.App.ID)
	}
	audit.FromContext(ctx).Note(about)
	if err != nil {
		return err
	}
	if held.ToNote != "" {
		// If recording the use fails, the request must not fail; the next request tries to record it again.
		_ = notes.NoteSecretUse(ctx, held.ToNote, now)
	}
	if c.Suspended {
		return account.ErrSuspended
	}
	return nil
}
