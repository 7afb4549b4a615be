package background

import "time"

// Sightings tells how long entries wait whose rows have no time: since they were first
// seen in every measurement. It is for one job.
type Sightings struct{ since map[string]time.Time }

// Size is the size of an outbox in which the entries with these ids wait.
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
