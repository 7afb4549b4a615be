package connection

import (
	"context"
	"time"

	"vitae.internal/pkg/fault"
)

// readsShown is how far back reads are shown: a year, with the day on which it began.
const readsShown = 365 * 24 * time.Hour

// Read counts what an app has read of a person on a UTC day.
type Read struct {
	Day time.Time
	// Kind is a word of the contract's ReadKind.
	Kind  string
	Count int64
	// Latest is when it was read last on that day.
	Latest time.Time
}

// Reads lists what an app has read of a person in the last year by its live connections,
// newest day first; nothing for a connection that is not the person's.
func (s *Service) Reads(ctx context.Context, personID, id string) ([]Read, error) {
	if !fault.IsStorable(personID) || !fault.IsStorable(id) {
		return nil, nil
	}
	return s.store.Reads(ctx, personID, id, s.clock.Now().Add(-readsShown).UTC().Truncate(24*time.Hour))
}
