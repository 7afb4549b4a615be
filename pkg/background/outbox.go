package background

import (
	"context"
	"errors"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

// measureEvery is the pause between two measurements of the outboxes.
const measureEvery = 5 * time.Second

// Most is how many entries are counted. Counting more would cost the database most when it
// has most to do.
const Most = 10_000

var (
	entries = promauto.NewGaugeVec(prometheus.GaugeOpts{
		Name: "vitae_outbox_entries",
		Help: "Entries that wait in an outbox, at most 10,000. Every replica counts all.",
	}, []string{"outbox"})
	oldest = promauto.NewGaugeVec(prometheus.GaugeOpts{
		Name: "vitae_outbox_oldest_seconds",
		Help: "How long the oldest entry has waited in an outbox; 0 if none waits. Every replica looks at all.",
	}, []string{"outbox"})
)

// Size is what waits in an outbox.
type Size struct {
	// Entries is how many, at most Most.
	Entries int64
	// Oldest is how long the oldest of them has waited; 0 without entries.
	Oldest time.Duration
}

// SizeAt is the size of an outbox whose oldest entry was written at a time. An entry
// written by a clock that is ahead has not waited.
func SizeAt(now time.Time, entries int64, oldest time.Time) Size {
	if entries == 0 {
		return Size{}
	}
	return Size{Entries: entries, Oldest: max(now.Sub(oldest), 0)}
}

// Outboxes are functions that measure what waits in outboxes, by the names that the
// metrics have for them.
type Outboxes map[string]func(context.Context) (Size, error)

// Measure returns the job that sets the metrics of the outboxes.
func Measure(outboxes Outboxes) Job {
	for name := range outboxes { // there before the first measurement
		entries.WithLabelValues(name)
		oldest.WithLabelValues(name)
	}
	return Job{Every: measureEvery, Waiting: "what waits in an outbox is not known", Round: func(ctx context.Context) error {
		var failed error
		for name, measure := range outboxes {
			size, err := measure(ctx)
			if err != nil {
				failed = errors.Join(failed, err)
				continue
			}
			entries.WithLabelValues(name).Set(float64(size.Entries))
			oldest.WithLabelValues(name).Set(size.Oldest.Seconds())
		}
		return failed
	}}
}
