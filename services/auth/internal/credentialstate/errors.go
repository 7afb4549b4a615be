package credentialstate

import (
	"time"

	"vitae.internal/pkg/errs"
)

// Errors of the package.
var (
	// ErrUnknown is the answer for a credential that is not live, whatever the reason.
	ErrUnknown = errs.New(errs.Unauthenticated, "CREDENTIAL_UNKNOWN", "The credential is not valid.")
	// ErrNotIssued replaces ErrUnknown for a credential that never was one. The edge
	// counts these, because only somebody who guesses presents them
	// (behaviour: limits#made-up-credentials).
	ErrNotIssued = errs.New(errs.Unauthenticated, "CREDENTIAL_NOT_ISSUED", "The credential is not valid.")
	// ErrConnectionGone is for a live token without its connection's row
	// (behaviour: tokens#connection-gone).
	ErrConnectionGone = errs.New(errs.NotFound, "CONNECTION_NOT_FOUND", "The connection behind the token is gone.")
	// ErrExpired is for a token of the legacy interface that has expired and that nothing
	// ended before (behaviour: legacy#expired-tokens).
	ErrExpired = errs.New(errs.Unauthenticated, "CREDENTIAL_EXPIRED", "The token has expired.")

	// ErrNoPhoto is for an address of a photo that opens nothing, whatever the reason.
	ErrNoPhoto = errs.New(errs.NotFound, "PHOTO_NOT_FOUND", "There is no such photo.")

	errChanging = errs.New(errs.Unavailable, errs.CodeUnavailable, "The credential keeps changing.").WithRetryAfter(time.Second)
)
