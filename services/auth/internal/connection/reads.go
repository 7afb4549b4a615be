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
	// From says from which countries, that with most reads first, and at the end those of
	// unknown ones. It is empty where countries are not shown, and adds up to Count elsewhere.
	From []ReadsFrom
}

// ReadsFrom counts reads from a country, an ISO 3166-1 alpha-2 code; empty for unknown ones.
type ReadsFrom struct {
	Country string
	Count   int64
}

// Reads lists what an app has read of a person in the last year by its live connections,
// newest day first; nothing for a connection that is not the person's.
func (s *Service) Reads(ctx context.Context, personID, id string) ([]Read, error) {
	if !fault.IsStorable(personID) || !fault.IsStorable(id) {
		return nil, nil
	}
	reads, err := s.store.Reads(ctx, personID, id, s.clock.Now().Add(-readsShown).UTC().Truncate(24*time.Hour))
	for i := range reads {
		reads[i].From = s.shownFrom(reads[i])
	}
	return reads, err
}

// shownFrom adds the reads of unknown countries to those of known ones, which are all that is
// kept.
func (s *Service) shownFrom(r Read) []ReadsFrom {
	if !s.showCountries {
		return nil
	}
	unknown := r.Count
	for _, f := range r.From {
		unknown -= f.Count
	}
	if unknown == 0 {
		return r.From
	}
	return append(r.From, ReadsFrom{Count: unknown})
}
