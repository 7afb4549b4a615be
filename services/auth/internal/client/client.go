package client

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"errors"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/services/auth/internal/developer"
)

// ErrInvalid is the answer for an unknown client and for a failed authentication.
var ErrInvalid = errs.New(errs.Unauthenticated, "OAUTH_INVALID_CLIENT", "Client authentication failed.")

// ErrNotLegacy refuses a client that may not use the legacy interface.
var ErrNotLegacy = errs.New(errs.Unauthenticated, ErrInvalid.Code, "This client may not use the older interface.")

// Client is an app as an OAuth client.
type Client struct {
	App developer.App
	// SecretHash is the SHA-256 of the secret; nil for a public client.
	SecretHash []byte
	// Suspended is true if the developer account is suspended.
	Suspended bool
}

// Credentials authenticate the client of a request. An empty secret means that the
// request has none (RFC 6749 §2.3.1).
type Credentials struct {
	ID     string
	Secret string
}

// Known reports whether the client id can exist at all, without a look-up.
func (c Credentials) Known() bool { return credential.WellFormed(credential.ClientID, c.ID) }

// Proof lets the store check the secret in the statement that issues tokens, which
// compares SHA-256(stored hash || Nonce) with Sum. The nonce is new for every call, so
// the time of the comparison reveals nothing about the hash.
type Proof struct {
	ClientID string
	Nonce    []byte
	// Sum is nil if the request has no secret, which is right for public clients only.
	Sum []byte
}

// Prove makes the proof of the credentials.
func (c Credentials) Prove() Proof {
	p := Proof{ClientID: c.ID, Nonce: make([]byte, sha256.Size)}
	rand.Read(p.Nonce) // never fails since Go 1.24
	if c.Secret != "" {
		hash := credential.Hash(c.Secret)
		sum := sha256.Sum256(append(hash[:], p.Nonce...))
		p.Sum = sum[:]
	}
	return p
}

// Check authenticates a client that was read by the id of the credentials. Errors:
// ErrInvalid, developer.ErrSuspended.
func (c Client) Check(given Credentials) error {
	if c.App.ClientType == developer.Public {
		if given.Secret != "" {
			return ErrInvalid
		}
	} else {
		hash := credential.Hash(given.Secret)
		if len(c.SecretHash) == 0 || subtle.ConstantTimeCompare(hash[:], c.SecretHash) != 1 {
			return ErrInvalid
		}
	}
	if c.Suspended {
		return developer.ErrSuspended
	}
	return nil
}

// MayUseLegacy reports whether the client may use the legacy interface: its app is
// marked for it, and the client has a secret. Without PKCE, anyone could redeem the
// codes of a client without a secret (behaviour: legacy#who-may-use-it).
func (c Client) MayUseLegacy() bool {
	return c.App.Legacy && c.App.ClientType == developer.Confidential
}

// MayUseGrants reports whether the client may get tokens: its app may request at least
// one user scope. An app that only has API keys may not, nor an app that only uses the
// legacy interface (behaviour: sign-in#apps-without-user-scopes).
func (c Client) MayUseGrants() bool { return len(c.App.Scopes) > 0 }

// Store reads clients.
type Store interface {
	// Client reads a client by its client id; ErrInvalid if there is none.
	Client(ctx context.Context, clientID string) (Client, error)
}

// AuthenticateLegacy is the Authenticate of the legacy interface. Errors:
// ErrInvalid, ErrNotLegacy; developer.ErrSuspended, with the client.
func AuthenticateLegacy(ctx context.Context, store Store, given Credentials) (Client, error) {
	c, err := Authenticate(ctx, store, given)
	if (err == nil || errors.Is(err, developer.ErrSuspended)) && !c.MayUseLegacy() {
		err = ErrNotLegacy
	}
	return c, err
}

// Authenticate reads and checks a client. Errors: ErrInvalid,
// developer.ErrSuspended.
func Authenticate(ctx context.Context, store Store, given Credentials) (Client, error) {
	if !given.Known() {
		return Client{}, ErrInvalid
	}
	c, err := store.Client(ctx, given.ID)
	if err != nil {
		return Client{}, err
	}
	return c, c.Check(given)
}
