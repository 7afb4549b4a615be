package developer

import (
	"context"
	"time"

	"vitae.internal/pkg/credential"
	"vitae.internal/services/auth/internal/revocation"
)

// SecretChange decides, from the live secrets of an app, newest first, which of them it
// keeps, with which ends, and which one it gets; nil for none. It ends the others.
type SecretChange func(a App, live []ClientSecret) (kept []ClientSecret, added *NewSecret, err error)

// Store keeps accounts, apps and keys. A method that makes session records stale gives
// the outbox entry for them, which it writes in the same transaction.
type Store interface {
	// CreateAccount makes the person with the id of owner, if there is one, its owner. Errors
	// then: ErrEmailNotVerified, ErrTooManyAccounts.
	CreateAccount(ctx context.Context, a Account, owner string) error
	// Accounts lists open accounts by name, after a position.
	Accounts(ctx context.Context, q AccountQuery) ([]ListedAccount, error)
	// UpdateAccount stores the name and the address of what change gives. Errors:
	// ErrAccountNotFound, those of change.
	UpdateAccount(ctx context.Context, id string, change func(Account) (Account, error)) (Account, error)
	// CloseAccount ends the account with all that it has, if check allows it. Errors:
	// ErrAccountNotFound, those of check.
	CloseAccount(ctx context.Context, id string, now time.Time, check func(Account) error) (revocation.Entry, error)
	// VerifyAccount and UnverifyAccount give ErrAccountNotFound.
	VerifyAccount(ctx context.Context, id string, now time.Time) (Account, error)
	UnverifyAccount(ctx context.Context, id string) (Account, error)
	// Account, SuspendAccount, ResumeAccount and SetPlan give ErrAccountNotFound. Only
	// Account reads a closed one.
	Account(ctx context.Context, id string) (Account, error)
	SuspendAccount(ctx context.Context, id string, now time.Time) (Account, revocation.Entry, error)
	ResumeAccount(ctx context.Context, id string, now time.Time) (Account, revocation.Entry, error)
	SetPlan(ctx context.Context, id string, p Plan, now time.Time) (Account, revocation.Entry, error)
	// CreateApp stores an app; secret is nil for a public client. ErrAccountNotFound.
	CreateApp(ctx context.Context, a App, secret *NewSecret) error
	// App gives ErrAppNotFound.
	App(ctx context.Context, id string) (App, error)
	// ClientSecrets lists the live secrets of an app, newest first.
	ClientSecrets(ctx context.Context, appID string, now time.Time) ([]ClientSecret, error)
	// ChangeClientSecrets asks change for the secrets that an app is to have, and gives the
	// live ones then. Changes of one app wait for each other. ErrAppNotFound.
	ChangeClientSecrets(ctx context.Context, appID string, now time.Time, change SecretChange) (App, []ClientSecret, error)
	// AppOfSecret gives ErrSecretNotFound.
	AppOfSecret(ctx context.Context, id string) (string, error)
	// CreateAPIKey gives ErrAppNotFound.
	CreateAPIKey(ctx context.Context, k APIKey, secret credential.Digest) error
	// APIKeys lists the keys of an app that are not deleted, newest first.
	APIKeys(ctx context.Context, appID string) ([]APIKey, error)
	// DeleteAPIKey gives ErrKeyNotFound, together with the entry of an earlier deletion
	// if that is still pending.
	DeleteAPIKey(ctx context.Context, id string, now time.Time) (revocation.Entry, error)
}
