package background

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

// measureEvery is the time between two measurements of the outboxes.
const measureEvery = 5 * time.Second

// Most is the maximum number of entries that are counted. Counting more would slow the database
// down when it is busiest.
const Most = 10_000

var (
	entries = promauto.NewGaugeVec(prometheus.GaugeOpts{
		Name: "vitae_outbox_entries",
		Help: "Number of entries waiting in an outbox, at most 10,000. Every replica reports all entries.",
	}, []string{"outbox"})
	oldest = promauto.NewGaugeVec(prometheus.GaugeOpts{
		Name: "vitae_outbox_oldest_seconds",
		Help: "Age of the oldest entry waiting in an outbox, 0 if it is empty. Every replica reports all entries.",
	}, []string{"outbox"})
)

// Size holds the number and age of the entries in an outbox.
type Size struct {
	// Entries is the number of entries, at most Most.
	Entries int64
	// Oldest is the age of the oldest entry, or 0 if there are no entries.
	Oldest time.Duration
}

// SizeAt returns the size of an outbox, given the creation time of its oldest entry. The age is 0
// if that time is in the future because of clock skew.
func SizeAt(now time.Time, entries int64, oldest time.Time) Size {
	if entries == 0 {
		return Size{}
	}
	return Size{Entries: entries, Oldest: max(now.Sub(oldest), 0)}
}

// Sizes maps the name of an outbox in the metrics to its size.
type Sizes map[string]Size

// Measure returns a job that sets the metrics to the sizes that measure returns. It does so even if
// measure also returns an error.
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
