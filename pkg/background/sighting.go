package background

import "time"

// Sightings measures the age of entries whose rows have no creation time. The age of an entry
// counts from the first of the consecutive measurements that found it. It must be used by only one
// job.
type Sightings struct{ since map[string]time.Time }

// Size returns the size of an outbox that contains the entries with the given ids.
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
