package background_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"vitae.internal/pkg/background"
	"vitae.internal/pkg/testkit/metrics"
)

// gauge returns the value of a gauge for an outbox.
func gauge(t *testing.T, name, outbox string) float64 {
	t.Helper()
	value, there := metrics.Value(t, name, "outbox", outbox)
	if !there {
		t.Fatalf("no metric %s for outbox %s", name, outbox)
	}
	return value
}

func TestOutboxMetricsAreSet(t *testing.T) {
	other := t.Name() + " other"
	var size background.Size
	var failure error
	job := background.Measure(func(context.Context) (background.Sizes, error) {
		if failure != nil {
			return background.Sizes{other: {Entries: 7}}, failure
		}
		return background.Sizes{t.Name(): size}, nil
	})
	want := func(entries, oldest float64) {
		t.Helper()
		if e, o := gauge(t, "vitae_outbox_entries", t.Name()), gauge(t, "vitae_outbox_oldest_seconds", t.Name()); e != entries || o != oldest {
			t.Errorf("%v entries, the oldest %v s; want %v and %v", e, o, entries, oldest)
		}
	}
	size = background.Size{Entries: 3, Oldest: 90 * time.Second}
	if err := job.Round(t.Context()); err != nil {
		t.Fatal(err)
	}
	want(3, 90)
	size, failure = background.Size{}, errors.New("down")
	if err := job.Round(t.Context()); err == nil {
		t.Error("no error although measuring failed")
	}
	want(3, 90) // an outbox that could not be measured keeps its value
	if n := gauge(t, "vitae_outbox_entries", other); n != 7 {
		t.Errorf("the other outbox has %v entries, want 7", n)
	}
	failure = nil
	if err := job.Round(t.Context()); err != nil {
		t.Fatal(err)
	}
	want(0, 0)
}

func TestSightingsMeasureAgeFromFirstSight(t *testing.T) {
	var s background.Sightings
	at := time.Unix(1000, 0)
	for _, step := range []struct {
		after time.Duration
		ids   []string
		want  background.Size
	}{
		{0, nil, background.Size{}},
		{0, []string{"a"}, background.Size{Entries: 1}},
		{5 * time.Second, []string{"a", "b"}, background.Size{Entries: 2, Oldest: 5 * time.Second}},
		{5 * time.Second, []string{"b"}, background.Size{Entries: 1, Oldest: 5 * time.Second}},
		{5 * time.Second, []string{"a"}, background.Size{Entries: 1}}, // a new entry for the same job
	} {
		at = at.Add(step.after)
		if got := s.Size(step.ids, at); got != step.want {
			t.Errorf("%v: %+v, want %+v", step.ids, got, step.want)
		}
	}
}
