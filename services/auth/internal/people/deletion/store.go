package deletion

import (
	"context"
	"time"

	"vitae.internal/services/auth/internal/credentials/revocation"
	"vitae.internal/services/auth/internal/mail"
)

// Request is a request to delete a person's account.
type Request struct {
	PersonID string
	// At is the time of the request. DueAt is the time until which it can be canceled.
	At, DueAt time.Time
	// Notice is nil if no email is sent.
	Notice *mail.Notice
}

// Due is a deletion whose next step is due.
type Due struct {
	PersonID string
	// Step is the number of completed steps.
	Step int
}

// Store stores deletions, and deletes the rows of a person.
type Store interface {
	// RequestDeletion stores a request and pauses the person's connections. A repeated request
	// changes nothing. It returns the time at which the account is deleted, and the entries to
	// publish. Errors: ErrOnlyOwner; person.ErrNotFound.
	RequestDeletion(ctx context.Context, r Request) (time.Time, []revocation.Entry, error)
	// OwnedAlone returns the open developer accounts that would have no owner without the person,
	// sorted by name. Owners whose own deletion is pending do not count.
	OwnedAlone(ctx context.Context, personID string) ([]Owned, error)
	// CancelDeletion cancels a request and resumes the connections that it paused. It changes
	// nothing if there is no request or the deletion has already begun.
	CancelDeletion(ctx context.Context, personID string, now time.Time, notice *mail.Notice) ([]revocation.Entry, error)
	// LeaseDeletions returns deletions whose next step is due and one of steps. It reserves them
	// for this caller until the given time. They can no longer be canceled.
	LeaseDeletions(ctx context.Context, now, until time.Time, atMost int, steps ...int) ([]Due, error)
	// CloseSessions ends all sessions of a person, on the pages and in the console. It also stores
	// the keys by which the remaining rows are found after the person's row has been deleted.
	CloseSessions(ctx context.Context, personID string) error
	// LiveConnections returns the ids of a person's live connections.
	LiveConnections(ctx context.Context, personID string) ([]string, error)
	// ErasePerson deletes all rows of a person.
	ErasePerson(ctx context.Context, personID string) error
	// EraseEvents removes the person from events of the audit log.
	EraseEvents(ctx context.Context, personID string) error
	// FinishStep records a completed step, once, and the time at which the next step is due.
	FinishStep(ctx context.Context, d Due, next time.Time) error
	// DropDeletion deletes the row of a completed deletion.
	DropDeletion(ctx context.Context, personID string) error
}

// Connections ends connections, as connection.Store does.
type Connections interface {
	EndConnection(ctx context.Context, personID, id string, now time.Time) (revocation.Entry, error)
}
