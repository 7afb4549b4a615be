package app

import (
	"context"
	"time"

	"vitae.internal/pkg/credential"
	"vitae.internal/services/auth/internal/credentials/revocation"
	"vitae.internal/services/auth/internal/mail"
)

// SecretChange chooses which of an app's live secrets (newest first) to keep, and with which expiry. It also returns
// a secret to add, or nil to add none. All live secrets that it doesn't return are revoked.
type SecretChange func(a App, live []ClientSecret) (kept []ClientSecret, added *NewSecret, err error)

// ChangedSecrets is the result of changing an app's secrets.
type ChangedSecrets struct {
	App App
	// Live lists the live secrets, newest first.
	Live []ClientSecret
	// Revocation is the entry for the revoked secrets' records. It may come from an earlier change if that change's
	// entry is still pending.
	Revocation revocation.Entry
}

// Store stores apps, secrets and keys. It returns revocation entries in the same way as account.Store.
type Store interface {
	// CreateApp stores an app with its logo. secret is nil for a public client. It returns
	// account.ErrNotFound if the account doesn't exist.
	CreateApp(ctx context.Context, a App, logo Logo, secret *NewSecret) error
	// App reads an app. It returns ErrNotFound if the app doesn't exist or has been deleted.
	App(ctx context.Context, id string) (App, error)
	// Apps lists the apps of an account, newest first.
	Apps(ctx context.Context, accountID string, deletedToo bool) ([]Listed, error)
	// ChangeApp locks an app and stores the app that change returns. It also stores the logo unless logo is nil. A
	// consent that was checked before the change cannot be committed after it. The entry identifies the records that
	// become stale because the app lost something. It may come from an earlier change if that change's entry is
	// still pending. Errors: ErrNotFound.
	ChangeApp(ctx context.Context, id string, now time.Time, logo *Logo, change func(*App)) (App, revocation.Entry, error)
	// DeleteApp deletes an app with its keys and secrets, if check allows this. If the app does not exist, it
	// returns ErrNotFound, together with an earlier deletion's revocation entry if that entry is still pending. It
	// also returns all errors returned by check.
	DeleteApp(ctx context.Context, id string, now time.Time, check func(App) error) (revocation.Entry, error)
	// Logo returns the given version of an app's logo. Errors: ErrLogoNotFound.
	Logo(ctx context.Context, appID, version string) ([]byte, error)
	// ClientSecrets lists the live secrets of an app, newest first.
	ClientSecrets(ctx context.Context, appID string, now time.Time) ([]ClientSecret, error)
	// ChangeClientSecrets applies change to the secrets of an app and returns the live secrets.
	// Changes to the same app are serialized. Errors: ErrNotFound.
	ChangeClientSecrets(ctx context.Context, appID string, now time.Time, change SecretChange) (ChangedSecrets, error)
	// PendingSecretRevocation returns the entry of the change that revoked a secret, or the zero entry if that entry
	// is no longer pending.
	PendingSecretRevocation(ctx context.Context, id string, now time.Time) (revocation.Entry, error)
	// AppOfSecret returns the id of the app to which a secret belongs. Errors: ErrSecretNotFound.
	AppOfSecret(ctx context.Context, id string) (string, error)
	// CreateAPIKey stores a key, and emails the account's owners if e is not nil. Errors:
	// ErrNotFound.
	CreateAPIKey(ctx context.Context, k APIKey, secret credential.Digest, e *mail.Event) error
	// APIKeys lists an app's keys, newest first. If deletedToo is set, it includes deleted keys.
	APIKeys(ctx context.Context, appID string, deletedToo bool) ([]APIKey, error)
	// AppOfAnyTime reads an app even if it has been deleted. Errors: ErrNotFound.
	AppOfAnyTime(ctx context.Context, id string) (App, error)
	// DeleteAPIKey deletes a key. If the key does not exist, it returns ErrKeyNotFound, together with an earlier
	// deletion's revocation entry if that entry is still pending.
	DeleteAPIKey(ctx context.Context, id string, now time.Time) (revocation.Entry, error)
}
