package background

import "time"

// Sightings measures entries whose rows have no time: their age starts with the first of
// consecutive measurements that saw them. It is for a single job.
type Sightings struct{ since map[string]time.Time }

// Size returns the size of an outbox with the given waiting ids.
func (s *Sightings) Size(ids []string, now time.Time) Size {
	size, still := Size{Entries: int64(len(ids))}, make(map[string]time.Time, len(ids))
	for _, id := range ids {
		since, known := s.since[id]
		if !known {
			since = now
		}
		still[id] = since
		size.Oldest = max(size.Oldest, now.Sub(since))
	}
	s.since = still
	return size
}
