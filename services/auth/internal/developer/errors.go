package developer

import "vitae.internal/pkg/errs"

// Errors of the package.
var (
	ErrAccountNotFound = errs.New(errs.NotFound, "ACCOUNT_NOT_FOUND", "There is no such developer account.")
	ErrAppNotFound     = errs.New(errs.NotFound, "APP_NOT_FOUND", "There is no such app.")
	ErrKeyNotFound     = errs.New(errs.NotFound, "API_KEY_NOT_FOUND", "There is no such API key.")
	ErrAppIsPublic     = errs.New(errs.Precondition, "APP_IS_PUBLIC", "A public client has no secret.")
	// ErrSuspended refuses every app of a suspended account.
	ErrSuspended = errs.New(errs.Denied, "DEVELOPER_ACCOUNT_SUSPENDED", "The developer account is suspended.")
)
