package app

import (
	"context"
	"time"

	"vitae.internal/pkg/credential"
	"vitae.internal/services/auth/internal/credentials/revocation"
	"vitae.internal/services/auth/internal/mail"
)

// SecretChange chooses which of an app's live secrets (newest first) to keep, with which
// expiry, and which secret to add; nil for none. The others end.
type SecretChange func(a App, live []ClientSecret) (kept []ClientSecret, added *NewSecret, err error)

// ChangedSecrets is the result of a change of secrets.
type ChangedSecrets struct {
	App App
	// Live are the live secrets, newest first.
	Live []ClientSecret
	// Revocation is for the records of the ended secrets; it may be of an earlier change that
	// is still pending.
	Revocation revocation.Entry
}

// Store keeps apps, secrets and keys, and returns entries as AccountStore does.
type Store interface {
	// CreateApp stores an app with its logo; secret is nil for a public client.
	// account.ErrNotFound.
	CreateApp(ctx context.Context, a App, logo Logo, secret *NewSecret) error
	// App reads a live app; ErrNotFound.
	App(ctx context.Context, id string) (App, error)
	// Apps lists the apps of an account, newest first.
	Apps(ctx context.Context, accountID string, deletedToo bool) ([]Listed, error)
	// ChangeApp locks an app and stores the result of change, with the logo unless that is
	// nil. No consent that was checked before the change commits after it. The entry is for
	// what the app has lost; it may be of an earlier change that is still pending.
	// ErrNotFound.
	ChangeApp(ctx context.Context, id string, now time.Time, logo *Logo, change func(*App)) (App, revocation.Entry, error)
	// DeleteApp deletes an app with its keys and secrets, if check allows it. Errors: those
	// of check; ErrNotFound, together with the entry of an earlier deletion if that is
	// still pending.
	DeleteApp(ctx context.Context, id string, now time.Time, check func(App) error) (revocation.Entry, error)
	// Logo reads a version of an app's logo; ErrLogoNotFound.
	Logo(ctx context.Context, appID, version string) ([]byte, error)
	// ClientSecrets lists the live secrets of an app, newest first.
	ClientSecrets(ctx context.Context, appID string, now time.Time) ([]ClientSecret, error)
	// ChangeClientSecrets applies change to the secrets of an app, and returns the live ones.
	// Changes of one app are serialized. ErrNotFound.
	ChangeClientSecrets(ctx context.Context, appID string, now time.Time, change SecretChange) (ChangedSecrets, error)
	// PendingSecretRevocation returns the entry of a change that ended a secret if it is
	// still pending, otherwise the zero entry.
	PendingSecretRevocation(ctx context.Context, id string, now time.Time) (revocation.Entry, error)
	// AppOfSecret returns the app's id; ErrSecretNotFound.
	AppOfSecret(ctx context.Context, id string) (string, error)
	// CreateAPIKey stores a key, and emails the account's owners if e is not nil.
	// ErrNotFound.
	CreateAPIKey(ctx context.Context, k APIKey, secret credential.Digest, e *mail.Event) error
	// APIKeys lists the keys of an app, newest first, with or without the deleted ones.
	APIKeys(ctx context.Context, appID string, deletedToo bool) ([]APIKey, error)
	// AppOfAnyTime reads an app, deleted or not; ErrNotFound.
	AppOfAnyTime(ctx context.Context, id string) (App, error)
	// DeleteAPIKey deletes a key; ErrKeyNotFound, together with the entry of an earlier
	// deletion if that is still pending.
	DeleteAPIKey(ctx context.Context, id string, now time.Time) (revocation.Entry, error)
}
