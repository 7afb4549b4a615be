package app

import "vitae.internal/pkg/errs"

// Errors returned by this package.
var (
	ErrNotFound       = errs.New(errs.NotFound, "APP_NOT_FOUND", "There is no such app.")
	ErrKeyNotFound    = errs.New(errs.NotFound, "API_KEY_NOT_FOUND", "There is no such API key.")
	ErrSecretNotFound = errs.New(errs.NotFound, "CLIENT_SECRET_NOT_FOUND", "There is no such client secret.")
	ErrLastSecret     = errs.New(errs.Precondition, "LAST_CLIENT_SECRET", "This is the app's last live secret; rotate it instead.")
	ErrLogoNotFound   = errs.New(errs.NotFound, "APP_LOGO_NOT_FOUND", "The app has no such logo.")
	ErrPublic         = errs.New(errs.Precondition, "APP_IS_PUBLIC", "A public client has no secret.")
	// ErrTooManyKeys is returned if the app already has MostKeys live API keys.
	ErrTooManyKeys = errs.New(errs.Precondition, "TOO_MANY_API_KEYS", "The app has %d live API keys, as many as an app can have. Delete one first.", MostKeys)
)
