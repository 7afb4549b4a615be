package developer

import "vitae.internal/pkg/errs"

// Errors of the package.
var (
	ErrAccountNotFound = errs.New(errs.NotFound, "ACCOUNT_NOT_FOUND", "There is no such developer account.")
	ErrAppNotFound     = errs.New(errs.NotFound, "APP_NOT_FOUND", "There is no such app.")
	ErrKeyNotFound     = errs.New(errs.NotFound, "API_KEY_NOT_FOUND", "There is no such API key.")
	ErrSecretNotFound  = errs.New(errs.NotFound, "CLIENT_SECRET_NOT_FOUND", "There is no such client secret.")
	ErrLastSecret      = errs.New(errs.Precondition, "LAST_CLIENT_SECRET", "This is the app's last live secret; rotate it instead.")
	ErrLogoNotFound    = errs.New(errs.NotFound, "APP_LOGO_NOT_FOUND", "The app has no such logo.")
	ErrAppIsPublic     = errs.New(errs.Precondition, "APP_IS_PUBLIC", "A public client has no secret.")
	// ErrTooManyKeys is returned if the app already has MostKeys live API keys.
	ErrTooManyKeys = errs.New(errs.Precondition, "TOO_MANY_API_KEYS", "The app has %d live API keys, as many as an app can have. Delete one first.", MostKeys)
	// ErrTooManyAccounts is returned if the person has already created MostCreated accounts.
	ErrTooManyAccounts = errs.New(errs.Precondition, "TOO_MANY_ACCOUNTS", "You have created %d accounts, as many as a person can.", MostCreated)
	// ErrEmailNotVerified is returned for a person without a verified email address.
	ErrEmailNotVerified = errs.New(errs.Precondition, "EMAIL_NOT_VERIFIED", "Your e-mail address is not verified.")
	// ErrSuspended is returned for every app of a suspended account.
	ErrSuspended = errs.New(errs.Denied, "DEVELOPER_ACCOUNT_SUSPENDED", "The developer account is suspended.")
)
