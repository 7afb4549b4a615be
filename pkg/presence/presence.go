// Package presence contains the errors for calls on behalf of a person who is signed in with a
// browser. They are returned by the auth service, which stores the sessions, and by the gRPC
// servers of all services.
package presence

import "vitae.internal/pkg/errs"

var (
	// ErrEnded is returned for a call that has no live website or developer console session.
	ErrEnded = errs.New(errs.Unauthenticated, "SESSION_ENDED", "The session has ended. Sign in again.")
	// ErrProof is returned for a call that requires a recent re-authentication if the session has
	// none (behaviour: accounts#re-authentication).
	ErrProof = errs.New(errs.Denied, "PROOF_NEEDED", "Prove again that it is you.")
)
