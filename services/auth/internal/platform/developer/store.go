package developer

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

// AccountStore keeps accounts. A method that makes session records stale returns the outbox
// entry that it wrote in the same transaction.
type AccountStore interface {
	// CreateAccount stores an account. A non-empty owner is the id of the person who becomes
	// its owner. Errors for an owner: ErrEmailNotVerified, ErrTooManyAccounts.
	CreateAccount(ctx context.Context, a Account, owner string) error
	// VerifiedNames returns the names of all open verified accounts except one.
	VerifiedNames(ctx context.Context, besides string) ([]string, error)
	// Accounts lists open accounts by name, after a position.
	Accounts(ctx context.Context, q AccountQuery) ([]ListedAccount, error)
	// UpdateAccount stores the name and address that change returns. Errors:
	// ErrAccountNotFound, those of change.
	UpdateAccount(ctx context.Context, id string, change func(Account) (Account, error)) (Account, error)
	// CloseAccount ends the account and everything in it, if check allows it. Errors:
	// ErrAccountNotFound, those of check.
	CloseAccount(ctx context.Context, id string, now time.Time, check func(Account) error) (revocation.Entry, error)
	// VerifyAccount and UnverifyAccount return ErrAccountNotFound for an unknown account.
	VerifyAccount(ctx context.Context, id string, now time.Time) (Account, error)
	UnverifyAccount(ctx context.Context, id string) (Account, error)
	// Account, SuspendAccount, ResumeAccount and SetPlan return ErrAccountNotFound for an
	// unknown account. Only Account reads a closed one. SuspendAccount with an empty reason
	// keeps the reason of the current suspension.
	Account(ctx context.Context, id string) (Account, error)
	SuspendAccount(ctx context.Context, id, reason string, now time.Time) (Account, revocation.Entry, error)
	ResumeAccount(ctx context.Context, id string, now time.Time) (Account, revocation.Entry, error)
	SetPlan(ctx context.Context, id string, p Plan, now time.Time) (Account, revocation.Entry, error)
	// AddPlanRequest stores a request; ErrPlanRequestOpen if the account already has an open
	// one, ErrAccountNotFound if it is closed.
	AddPlanRequest(ctx context.Context, r PlanRequest) error
	// PlanRequests lists requests, newest first, of one account or, with an empty id, of all;
	// only open ones, or all.
	PlanRequests(ctx context.Context, accountID string, decidedToo bool, atMost int32) ([]PlanRequest, error)
	// GrantPlanRequest decides a request and sets the account's plan, in one transaction.
	// ErrPlanRequestNotFound, ErrPlanRequestDecided.
	GrantPlanRequest(ctx context.Context, d PlanDecision) (PlanRequest, revocation.Entry, error)
	// RefusePlanRequest refuses a request; ErrPlanRequestNotFound, ErrPlanRequestDecided.
	RefusePlanRequest(ctx context.Context, d PlanDecision) (PlanRequest, error)
}

// AppStore keeps apps, secrets and keys, and returns entries as AccountStore does.
type AppStore interface {
	// CreateApp stores an app with its logo; secret is nil for a public client.
	// ErrAccountNotFound.
	CreateApp(ctx context.Context, a App, logo Logo, secret *NewSecret) error
	// App reads a live app; ErrAppNotFound.
	App(ctx context.Context, id string) (App, error)
	// Apps lists the apps of an account, newest first.
	Apps(ctx context.Context, accountID string, deletedToo bool) ([]ListedApp, error)
	// ChangeApp locks an app and stores the result of change, with the logo unless that is
	// nil. No consent that was checked before the change commits after it. The entry is for
	// what the app has lost; it may be of an earlier change that is still pending.
	// ErrAppNotFound.
	ChangeApp(ctx context.Context, id string, now time.Time, logo *Logo, change func(*App)) (App, revocation.Entry, error)
	// DeleteApp deletes an app with its keys and secrets, if check allows it. Errors: those
	// of check; ErrAppNotFound, together with the entry of an earlier deletion if that is
	// still pending.
	DeleteApp(ctx context.Context, id string, now time.Time, check func(App) error) (revocation.Entry, error)
	// Logo reads a version of an app's logo; ErrLogoNotFound.
	Logo(ctx context.Context, appID, version string) ([]byte, error)
	// ClientSecrets lists the live secrets of an app, newest first.
	ClientSecrets(ctx context.Context, appID string, now time.Time) ([]ClientSecret, error)
	// ChangeClientSecrets applies change to the secrets of an app, and returns the live ones.
	// Changes of one app are serialized. ErrAppNotFound.
	ChangeClientSecrets(ctx context.Context, appID string, now time.Time, change SecretChange) (ChangedSecrets, error)
	// PendingSecretRevocation returns the entry of a change that ended a secret if it is
	// still pending, otherwise the zero entry.
	PendingSecretRevocation(ctx context.Context, id string, now time.Time) (revocation.Entry, error)
	// AppOfSecret returns the app's id; ErrSecretNotFound.
	AppOfSecret(ctx context.Context, id string) (string, error)
	// CreateAPIKey stores a key, and emails the account's owners if e is not nil.
	// ErrAppNotFound.
	CreateAPIKey(ctx context.Context, k APIKey, secret credential.Digest, e *mail.Event) error
	// APIKeys lists the keys of an app, newest first, with or without the deleted ones.
	APIKeys(ctx context.Context, appID string, deletedToo bool) ([]APIKey, error)
	// AppOfAnyTime reads an app, deleted or not; ErrAppNotFound.
	AppOfAnyTime(ctx context.Context, id string) (App, error)
	// DeleteAPIKey deletes a key; ErrKeyNotFound, together with the entry of an earlier
	// deletion if that is still pending.
	DeleteAPIKey(ctx context.Context, id string, now time.Time) (revocation.Entry, error)
}
