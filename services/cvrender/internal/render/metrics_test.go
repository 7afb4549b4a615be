package render_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"vitae.internal/pkg/testkit/metrics"
)

// growth returns a function that reports by how much the i-th counter or histogram has grown.
func growth(t *testing.T, names ...[]string) func(i int) float64 {
	t.Helper()
	before := make([]float64, len(names))
	for i, n := range names {
		value, there := metrics.Value(t, n[0], n[1:]...)
		if !there {
			t.Errorf("%v does not exist before its first count", n)
		}
		before[i] = value
	}
	return func(i int) float64 {
		value, _ := metrics.Value(t, names[i][0], names[i][1:]...)
		return value - before[i]
	}
}

func wantGauge(t *testing.T, name string, want float64) {
	t.Helper()
	if got, there := metrics.Value(t, name); !there || got != want {
		t.Errorf("%s: %v, exists %t, want %v", name, got, there, want)
	}
}

func TestMetricsShowQueueAndRejections(t *testing.T) {
	g, l := newGate(), limits()
	l.Queue = 2
	s, pool := fakeService(t, l, 10, always(g.print))
	by := growth(t, []string{"vitae_render_turned_away_total"}, []string{"vitae_render_duration_seconds", "result", "printed"},
		[]string{"vitae_render_answers_total", "from", "chromium"}, []string{"vitae_render_answers_total", "from", "cache"})
	var all sync.WaitGroup
	for i := range 3 {
		all.Go(func() { _, _ = s.Render(patient(t), named(fmt.Sprint(i), fmt.Sprint(i))) })
		if i == 0 {
			await(t, "the first is being printed", func() bool { return g.busy.Load() == 1 })
		}
	}
	await(t, "two wait", func() bool { return pool.Waiting() == 2 })
	wantGauge(t, "vitae_render_queue", 2)
	wantGauge(t, "vitae_render_queue_max", 2)
	wantGauge(t, "vitae_render_busy", 1)
	wantGauge(t, "vitae_render_slots", float64(l.Slots))
	_, _ = s.Render(patient(t), named("late", "late"))
	close(g.open)
	all.Wait()
	_, _ = s.Render(patient(t), named("1", "1"))
	wantGauge(t, "vitae_render_queue", 0)
	for i, want := range []float64{1, 3, 4, 1} {
		if got := by(i); got != want {
			t.Errorf("counter %d grew by %v, want %v", i, got, want)
		}
	}
}

func TestMetricsShowLostBrowsers(t *testing.T) {
	var prints atomic.Int32
	by := growth(t, []string{"vitae_render_browsers_ended_total", "why", "lost"}, []string{"vitae_render_browsers_started_total", "result", "started"},
		[]string{"vitae_render_duration_seconds", "result", "failed"}, []string{"vitae_render_browsers_ended_total", "why", "planned"},
		[]string{"vitae_render_browsers_started_total", "result", "failed"})
	s, pool := fakeService(t, limits(), 10, always(func(_ context.Context, html string) ([]byte, error) {
		if prints.Add(1) == 1 {
			return nil, fmt.Errorf("%w: killed", errLost)
		}
		return fakePDF(html), nil
	}))
	if _, err := s.Render(patient(t), named("p", "x")); err != nil {
		t.Error(err)
	}
	await(t, "a browser can print", func() bool { return pool.Ready() == nil })
	for i, want := range map[int]float64{0: 1, 2: 0, 4: 0} {
		if got := by(i); got != want {
			t.Errorf("counter %d grew by %v, want %v", i, got, want)
		}
	}
	if by(1) < 2 {
		t.Errorf("%v starts, want one after the loss", by(1))
	}
	pool.Close()
	wantGauge(t, "vitae_render_browsers", 0)
}
