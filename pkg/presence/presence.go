// Package presence has the errors of calls for a person who is signed in at a browser. Auth, which
// keeps the sessions, and the gRPC servers of all parts, which ask it, answer with the same.
package presence

import "vitae.internal/pkg/errs"

var (
	// ErrEnded refuses a call for a person without a live session, of the pages or of the
	// developer console.
	ErrEnded = errs.New(errs.Unauthenticated, "SESSION_ENDED", "The session has ended. Sign in again.")
	// ErrProof refuses a call in a session whose person has not proven to be there lately
	// (behaviour: accounts#proving-to-be-there).
	ErrProof = errs.New(errs.Denied, "PROOF_NEEDED", "Prove again that it is you.")
)
