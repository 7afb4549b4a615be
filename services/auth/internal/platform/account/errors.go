package account

import "vitae.internal/pkg/errs"

// Errors returned by this package.
var (
	ErrNotFound = errs.New(errs.NotFound, "ACCOUNT_NOT_FOUND", "There is no such developer account.")
	// ErrTooManyAccounts is returned if the person has already created MostCreated accounts.
	ErrTooManyAccounts = errs.New(errs.Precondition, "TOO_MANY_ACCOUNTS", "You have created %d accounts, which is the maximum.", MostCreated)
	// ErrEmailNotVerified is returned for a person without a verified email address.
	ErrEmailNotVerified = errs.New(errs.Precondition, "EMAIL_NOT_VERIFIED", "Your e-mail address is not verified.")
	// ErrSuspended is returned for every app of a suspended account.
	ErrSuspended = errs.New(errs.Denied, "DEVELOPER_ACCOUNT_SUSPENDED", "The developer account is suspended.")
)
