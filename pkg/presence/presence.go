// Package presence contains the errors of calls for a person who is signed in at a browser. Auth,
// which stores the sessions, and the gRPC servers of all services return them.
package presence

import "vitae.internal/pkg/errs"

var (
	// ErrEnded rejects a call without a live session of the pages or the developer console.
	ErrEnded = errs.New(errs.Unauthenticated, "SESSION_ENDED", "The session has ended. Sign in again.")
	// ErrProof rejects a call in a session whose person has not recently authenticated again
	// (behaviour: accounts#re-authentication).
	ErrProof = errs.New(errs.Denied, "PROOF_NEEDED", "Prove again that it is you.")
)
