package backlog

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"vitae.internal/pkg/periodic"
)

// every is the pause between two measurements. What waits for less is no news.
const every = 5 * time.Second

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

// Seconds gives an age as Postgres tells it. An entry that was written by a clock that is
// ahead has waited for no time.
func Seconds(age float64) time.Duration { return time.Duration(max(age, 0) * float64(time.Second)) }

// Outbox is an outbox with its name in the metrics.
type Outbox struct {
	Name string
	// Measure tells what waits.
	Measure func(context.Context) (Size, error)
	Log     *slog.Logger
}

// NewJob makes the job that measures an outbox.
func NewJob(o Outbox) (periodic.Job, error) {
	if o.Name == "" || o.Measure == nil {
		return periodic.Job{}, errors.New("backlog: Name and Measure are required")
	}
	waiting, age := entries.WithLabelValues(o.Name), oldest.WithLabelValues(o.Name)
	return periodic.New(periodic.Job{Every: every, Log: o.Log, Waiting: "what waits in the outbox " + o.Name + " is not known", Round: func(ctx context.Context) error {
		size, err := o.Measure(ctx)
		if err != nil {
			return err
		}
		waiting.Set(float64(size.Entries))
		age.Set(size.Oldest.Seconds())
		return nil
	}})
}
