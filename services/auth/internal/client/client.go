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

// ErrNotLegacy refuses a client at the older profile-sharing interface.
var ErrNotLegacy = errs.New(errs.Unauthenticated, ErrInvalid.Code, "This client may not use the older interface.")

// Client is an app as an OAuth client.
type Client struct {
	App developer.App
	// SecretHash is the SHA-256 of the secret; nil for a public client.
	SecretHash []byte
	// Suspended says that the developer account is.
	Suspended bool
}

// Credentials are what a request authenticates with. An empty secret is none
// (RFC 6749 §2.3.1).
type Credentials struct {
	ID     string
	Secret string
}

// Known reports whether the client id can exist at all, without a look-up.
func (c Credentials) Known() bool { return credential.WellFormed(credential.ClientID, c.ID) }

// Proof lets the store check the secret inside the statement that issues tokens:
// it compares SHA-256(stored hash || Nonce) with Sum. The nonce is fresh for
// every call, so the time that the comparison takes says nothing about the hash.
type Proof struct {
	ClientID string
	Nonce    []byte
	// Sum is nil when no secret was sent, which only a public client may do.
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

// Check authenticates the client that was read for the credentials. Errors:
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

// MayUseLegacy reports whether the client may use the older profile-sharing
// interface: its app is marked for it, and it has a secret, without which a code
// would be worth as much to whoever finds it (decision 43).
func (c Client) MayUseLegacy() bool {
	return c.App.Legacy && c.App.ClientType == developer.Confidential
}

// MayUseGrants reports whether the client may get tokens at all: its app may ask a
// person for a scope. An app that works with API keys alone may not, nor one that
// uses the older interface alone.
func (c Client) MayUseGrants() bool { return len(c.App.Scopes) > 0 }

// Store reads clients.
type Store interface {
	// Client reads a client by its client id; ErrInvalid when there is none.
	Client(ctx context.Context, clientID string) (Client, error)
}

// AuthenticateLegacy is Authenticate at the older profile-sharing interface. Errors:
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
