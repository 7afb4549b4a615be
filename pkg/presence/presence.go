// Package presence contains the errors of calls on behalf of a person who is signed in with a
// browser. Auth, which stores the sessions, and the gRPC servers of all services return them.
package presence

import "vitae.internal/pkg/errs"

var (
	// ErrEnded rejects a call without a live session of the website or the developer console.
	ErrEnded = errs.New(errs.Unauthenticated, "SESSION_ENDED", "The session has ended. Sign in again.")
	// ErrProof rejects a call in a session in which the person has not recently authenticated again
	// (behaviour: accounts#re-authentication).
	ErrProof = errs.New(errs.Denied, "PROOF_NEEDED", "Prove again that it is you.")
)
