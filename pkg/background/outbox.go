package background

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

// measureEvery is the time between two measurements of the outboxes.
const measureEvery = 5 * time.Second

// Most is the maximum number of entries that are counted. Counting more would load the database
// most when it is busiest.
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

// Size is the number and age of the entries in an outbox.
type Size struct {
	// Entries is the number of entries, at most Most.
	Entries int64
	// Oldest is the age of the oldest entry; 0 without entries.
	Oldest time.Duration
}

// SizeAt returns the size of an outbox from the time of its oldest entry. The age of an entry from
// a clock that is ahead is 0.
func SizeAt(now time.Time, entries int64, oldest time.Time) Size {
	if entries == 0 {
		return Size{}
	}
	return Size{Entries: entries, Oldest: max(now.Sub(oldest), 0)}
}

// Sizes are the sizes of outboxes, keyed by the name in the metrics.
type Sizes map[string]Size

// Measure returns the job that sets the metrics to the sizes that measure returns, also next to an
// error.
func Measure(measure func(context.Context) (Sizes, error)) Job {
	return Job{Every: measureEvery, Warning: "cannot measure the outboxes; the metrics keep the last value", Round: func(ctx context.Context) error {
		sizes, err := measure(ctx)
		for name, size := range sizes {
			entries.WithLabelValues(name).Set(float64(size.Entries))
			oldest.WithLabelValues(name).Set(size.Oldest.Seconds())
		}
		return err
	}}
}
