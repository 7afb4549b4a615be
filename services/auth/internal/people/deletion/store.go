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
	// At is when the request was made. DueAt is until when it can be canceled.
	At, DueAt time.Time
	// Notice is nil if the deployment sends no email.
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
	// RequestDeletion stores a request and pauses the person's connections. A repeated request changes nothing. It
	// returns when the account will be deleted, and the entries to publish. Errors: ErrOnlyOwner;
	// person.ErrNotFound.
	RequestDeletion(ctx context.Context, r Request) (time.Time, []revocation.Entry, error)
	// OwnedAlone returns the open developer accounts that would be left without an owner, sorted by name. Other
	// owners who are about to be deleted do not count.
	OwnedAlone(ctx context.Context, personID string) ([]Owned, error)
	// CancelDeletion cancels a request and resumes the connections that the request paused. It changes nothing if
	// there is no request or if the deletion has already begun.
	CancelDeletion(ctx context.Context, personID string, now time.Time, notice *mail.Notice) ([]revocation.Entry, error)
	// LeaseDeletions returns deletions whose next step is due and is one of the given steps. It reserves them for
	// this caller until the given time. From then on, they can no longer be canceled.
	LeaseDeletions(ctx context.Context, now, until time.Time, atMost int, steps ...int) ([]Due, error)
	// CloseSessions ends all of a person's sessions, on the website and in the developer console. It also stores the
	// keys that find the remaining rows after the person's row has been deleted.
	CloseSessions(ctx context.Context, personID string) error
	// LiveConnections returns the ids of a person's live connections.
	LiveConnections(ctx context.Context, personID string) ([]string, error)
	// ErasePerson deletes all rows of a person.
	ErasePerson(ctx context.Context, personID string) error
	// EraseEvents removes the person from events of the audit log.
	EraseEvents(ctx context.Context, personID string) error
	// FinishStep records, only once, that a step has been completed, and when the next step is due.
	FinishStep(ctx context.Context, d Due, next time.Time) error
	// DropDeletion deletes the row of a completed deletion.
	DropDeletion(ctx context.Context, personID string) error
}

// Connections ends connections, as connection.Store does.
type Connections interface {
	EndConnection(ctx context.Context, personID, id string, now time.Time) (revocation.Entry, error)
}
