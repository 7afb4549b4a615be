package account

import (
	"context"
	"time"

	"vitae.internal/services/auth/internal/credentials/revocation"
	"vitae.internal/services/auth/internal/mail"
)

// Store stores accounts. A method that makes session records stale returns the outbox entry that it
// wrote in the same transaction.
type Store interface {
	// CreateAccount stores an account. If owner is not empty, that person becomes the account's owner. In this case,
	// it may return ErrEmailNotVerified or ErrTooManyAccounts.
	CreateAccount(ctx context.Context, a Account, owner string) error
	// VerifiedNames returns the names of all verified accounts that are open, except the account with the given id.
	VerifiedNames(ctx context.Context, besides string) ([]string, error)
	// Accounts lists open accounts, ordered by name, after a position.
	Accounts(ctx context.Context, q Query) ([]Listed, error)
	// UpdateAccount stores the name and email address that change returns. Errors: ErrNotFound, and all errors
	// returned by change.
	UpdateAccount(ctx context.Context, id string, change func(Account) (Account, error)) (Account, error)
	// CloseAccount closes the account and revokes everything in it, if check allows this. Errors: ErrNotFound, and
	// all errors returned by check.
	CloseAccount(ctx context.Context, id string, now time.Time, check func(Account) error) (revocation.Entry, error)
	// VerifyAccount and UnverifyAccount return ErrNotFound for an unknown account.
	VerifyAccount(ctx context.Context, id string, now time.Time) (Account, error)
	UnverifyAccount(ctx context.Context, id string) (Account, error)
	// Account, SuspendAccount, ResumeAccount and SetPlan return ErrNotFound for an unknown account; all except
	// Account also return it for a closed account. If the reason is empty, SuspendAccount keeps the reason of the
	// current suspension. SuspendAccount and ResumeAccount email the owners, unless the event is nil or nothing
	// changes.
	Account(ctx context.Context, id string) (Account, error)
	SuspendAccount(ctx context.Context, id, reason string, now time.Time, e *mail.Event) (Account, revocation.Entry, error)
	ResumeAccount(ctx context.Context, id string, now time.Time, e *mail.Event) (Account, revocation.Entry, error)
	SetPlan(ctx context.Context, id string, p Plan, now time.Time) (Account, revocation.Entry, error)
	// AddPlanRequest stores a request. It returns ErrPlanRequestOpen if the account already has an
	// open request, and ErrNotFound if the account is closed.
	AddPlanRequest(ctx context.Context, r PlanRequest) error
	// PlanRequests lists the plan requests of an account, newest first. If the id is empty, it lists requests of all
	// accounts. It omits requests that have been decided unless decidedToo is set.
	PlanRequests(ctx context.Context, accountID string, decidedToo bool, atMost int32) ([]PlanRequest, error)
	// GrantPlanRequest grants a request and sets the account's plan, in one transaction. Errors:
	// ErrPlanRequestNotFound, ErrPlanRequestDecided.
	GrantPlanRequest(ctx context.Context, d PlanDecision) (PlanRequest, revocation.Entry, error)
	// RefusePlanRequest rejects a request. Errors: ErrPlanRequestNotFound, ErrPlanRequestDecided.
	RefusePlanRequest(ctx context.Context, d PlanDecision) (PlanRequest, error)
}
