package connection

import (
	"context"
	"time"

	"vitae.internal/pkg/fault"
)

// readsShown is how far back the list of reads goes.
const readsShown = 365 * 24 * time.Hour

// Read counts how often an app has read one kind of a person's data on a UTC day.
type Read struct {
	Day time.Time
	// Kind is a value of the ReadKind enum in the .proto file.
	Kind  string
	Count int64
	// Latest is the time of the last read on that day.
	Latest time.Time
	// From lists the countries with the most reads first, followed by the reads from unknown countries. If countries
	// are not shown, it is empty; otherwise, its counts add up to Count.
	From []ReadsFrom
}

// ReadsFrom counts the reads from one country (ISO 3166-1 alpha-2). Country is empty for unknown countries.
type ReadsFrom struct {
	Country string
	Count   int64
}

// Reads lists what an app has read through the person's live connection in the last year, newest day first. It
// returns nothing for another person's connection.
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

// shownFrom returns the stored countries, and adds an entry for the reads from unknown countries.
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
