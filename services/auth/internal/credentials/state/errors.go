package state

import (
	"time"

	"vitae.internal/pkg/errs"
)

// Errors returned by this package.
var (
	// ErrUnknown is returned for a credential that is not live, for any reason.
	ErrUnknown = errs.New(errs.Unauthenticated, "CREDENTIAL_UNKNOWN", "The credential is not valid.")
	// ErrNotIssued is returned instead of ErrUnknown for a credential that was never issued. The
	// gateway counts such credentials, because only a client that guesses presents them
	// (behaviour: limits#unknown-credentials).
	ErrNotIssued = errs.New(errs.Unauthenticated, "CREDENTIAL_NOT_ISSUED", "The credential is not valid.")
	// ErrConnectionGone is returned for a live token whose connection no longer has a row
	// (behaviour: tokens#ended-connections).
	ErrConnectionGone = errs.New(errs.NotFound, "CONNECTION_NOT_FOUND", "The connection behind this token is gone.")
	// ErrExpired is returned for a legacy token that has expired and was not revoked before that
	// (behaviour: legacy#expired-tokens).
	ErrExpired = errs.New(errs.Unauthenticated, "CREDENTIAL_EXPIRED", "The token has expired.")

	// ErrNoPhoto is returned for a photo URL that doesn't work, for any reason.
	ErrNoPhoto = errs.New(errs.NotFound, "PHOTO_NOT_FOUND", "There is no such photo.")

	errChanging = errs.New(errs.Unavailable, errs.CodeUnavailable, "The credential keeps changing.").WithRetryAfter(time.Second)
)
