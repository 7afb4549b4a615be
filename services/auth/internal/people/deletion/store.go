package deletion

import (
	"context"
	"time"

	"vitae.internal/services/auth/internal/credentials/revocation"
	"vitae.internal/services/auth/internal/mail"
)

// Request is a person's wish to have the account deleted.
type Request struct {
	PersonID string
	// At is when it was said, DueAt until when it can be taken back.
	At, DueAt time.Time
	// Notice is nil where no mail is sent.
	Notice *mail.Notice
}

// Due is a deletion that a replica goes on with now.
type Due struct {
	PersonID string
	// Passes is how often everything was deleted.
	Passes int
}

// Store keeps deletions, and deletes what auth holds of a person.
type Store interface {
	// RequestDeletion stores a request and pauses the connections of the person. A repeated one
	// changes nothing. It gives when the account is deleted, and what is to be published.
	// Errors: ErrOnlyOwner; person.ErrNotFound.
	RequestDeletion(ctx context.Context, r Request) (time.Time, []revocation.Entry, error)
	// OwnedAlone gives the open developer accounts that would have no owner without a person, by
	// name. Owners who leave themselves do not count.
	OwnedAlone(ctx context.Context, personID string) ([]Owned, error)
	// CancelDeletion takes a request back, and resumes what it has paused. It changes nothing if
	// there is none, or if the deletion has begun.
	CancelDeletion(ctx context.Context, personID string, now time.Time, notice *mail.Notice) ([]revocation.Entry, error)
	// LeaseDeletions gives deletions that are due, and keeps other replicas from them until the
	// given time. They cannot be taken back any more.
	LeaseDeletions(ctx context.Context, now, until time.Time, atMost int) ([]Due, error)
	// CloseSessions ends all sessions of a person, on the pages and in the console, and notes what
	// finds the rest of the rows when the person is gone.
	CloseSessions(ctx context.Context, personID string) error
	// LiveConnections gives the ids of a person's connections that have not ended.
	LiveConnections(ctx context.Context, personID string) ([]string, error)
	// ErasePerson deletes all rows of a person.
	ErasePerson(ctx context.Context, personID string) error
	// EraseEvents makes the person's events of the audit log nobody's.
	EraseEvents(ctx context.Context, personID string) error
	// FinishPass notes that everything was deleted, and when it is to be deleted again.
	FinishPass(ctx context.Context, personID string, again time.Time) error
	// DropDeletion forgets a deletion that is complete.
	DropDeletion(ctx context.Context, personID string) error
}

// Connections ends connections, as connection.Store does.
type Connections interface {
	EndConnection(ctx context.Context, personID, id string, now time.Time) (revocation.Entry, error)
}

// Elsewhere is what other parts hold. Service candidate implements it.
type Elsewhere interface {
	// Erase returns after everything of the person is deleted there.
	Erase(ctx context.Context, personID string) error
}
