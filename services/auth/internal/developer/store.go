package developer

import (
	"context"
	"time"

	"vitae.internal/pkg/credential"
	"vitae.internal/services/auth/internal/mail"
	"vitae.internal/services/auth/internal/revocation"
)

// SecretChange decides, from the live secrets of an app, newest first, which of them it
// keeps, with which ends, and which one it gets; nil for none. It ends the others.
type SecretChange func(a App, live []ClientSecret) (kept []ClientSecret, added *NewSecret, err error)

// ChangedSecrets is what a change of secrets leaves.
type ChangedSecrets struct {
	App App
	// Live are the live secrets, newest first.
	Live []ClientSecret
	// Revocation is for the records of the secrets that have ended; it may be one of an
	// earlier change that is still pending.
	Revocation revocation.Entry
}

// Store keeps accounts, apps and keys. A method that makes session records stale gives
// the outbox entry for them, which it writes in the same transaction.
type Store interface {
	// CreateAccount makes the person with the id of owner, if there is one, its owner. Errors
	// then: ErrEmailNotVerified, ErrTooManyAccounts.
	CreateAccount(ctx context.Context, a Account, owner string) error
	// VerifiedNames returns the names of all open verified accounts except one.
	VerifiedNames(ctx context.Context, besides string) ([]string, error)
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
	// Account reads a closed one. SuspendAccount without a reason keeps that of the suspension
	// that is in force.
	Account(ctx context.Context, id string) (Account, error)
	SuspendAccount(ctx context.Context, id, reason string, now time.Time) (Account, revocation.Entry, error)
	ResumeAccount(ctx context.Context, id string, now time.Time) (Account, revocation.Entry, error)
	SetPlan(ctx context.Context, id string, p Plan, now time.Time) (Account, revocation.Entry, error)
	// CreateApp stores an app with its logo; secret is nil for a public client.
	// ErrAccountNotFound.
	CreateApp(ctx context.Context, a App, logo Logo, secret *NewSecret) error
	// App gives ErrAppNotFound.
	App(ctx context.Context, id string) (App, error)
	// Apps lists the apps of an account, newest first.
	Apps(ctx context.Context, accountID string, deletedToo bool) ([]ListedApp, error)
	// ChangeApp locks an app, has change change it, and stores the result, with the logo
	// unless that is nil. No consent that was checked before the change commits after it.
	// The entry is for what the app has lost; it may be one of an earlier change that is
	// still pending. ErrAppNotFound.
	ChangeApp(ctx context.Context, id string, now time.Time, logo *Logo, change func(*App)) (App, revocation.Entry, error)
	// DeleteApp asks check about the app and deletes it with its keys and secrets. Errors:
	// those of check; ErrAppNotFound, together with the entry of an earlier deletion if
	// that is still pending.
	DeleteApp(ctx context.Context, id string, now time.Time, check func(App) error) (revocation.Entry, error)
	// Logo gives ErrLogoNotFound.
	Logo(ctx context.Context, appID, version string) ([]byte, error)
	// ClientSecrets lists the live secrets of an app, newest first.
	ClientSecrets(ctx context.Context, appID string, now time.Time) ([]ClientSecret, error)
	// ChangeClientSecrets asks change for the secrets that an app is to have, and gives the
	// live ones then. Changes of one app wait for each other. ErrAppNotFound.
	ChangeClientSecrets(ctx context.Context, appID string, now time.Time, change SecretChange) (ChangedSecrets, error)
	// PendingSecretRevocation gives the entry of a change that has ended a secret, if that is
	// still pending; otherwise the zero one.
	PendingSecretRevocation(ctx context.Context, id string, now time.Time) (revocation.Entry, error)
	// AppOfSecret gives ErrSecretNotFound.
	AppOfSecret(ctx context.Context, id string) (string, error)
	// CreateAPIKey tells the owners of the app's account of an event that is not nil. It gives
	// ErrAppNotFound.
	CreateAPIKey(ctx context.Context, k APIKey, secret credential.Digest, e *mail.Event) error
	// APIKeys lists the keys of an app, newest first; those that are not deleted, or all.
	APIKeys(ctx context.Context, appID string, deletedToo bool) ([]APIKey, error)
	// AppOfAnyTime gives an app, deleted or not; ErrAppNotFound.
	AppOfAnyTime(ctx context.Context, id string) (App, error)
	// DeleteAPIKey gives ErrKeyNotFound, together with the entry of an earlier deletion
	// if that is still pending.
	DeleteAPIKey(ctx context.Context, id string, now time.Time) (revocation.Entry, error)
	// AddPlanRequest gives ErrPlanRequestOpen if the account has an open request,
	// ErrAccountNotFound if it is closed.
	AddPlanRequest(ctx context.Context, r PlanRequest) error
	// PlanRequests lists requests, newest first: of one account, or of all if the id is
	// empty; the open ones, or all.
	PlanRequests(ctx context.Context, accountID string, decidedToo bool, atMost int32) ([]PlanRequest, error)
	// GrantPlanRequest decides a request and sets the account's plan, in one transaction.
	// ErrPlanRequestNotFound, ErrPlanRequestDecided.
	GrantPlanRequest(ctx context.Context, d PlanDecision) (PlanRequest, revocation.Entry, error)
	// RefusePlanRequest gives ErrPlanRequestNotFound, ErrPlanRequestDecided.
	RefusePlanRequest(ctx context.Context, d PlanDecision) (PlanRequest, error)
}
