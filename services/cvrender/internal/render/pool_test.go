package render_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"vitae.internal/pkg/errs"
	"vitae.internal/services/cvrender/internal/render"
)

// gate is a printer that blocks every document until it is opened.
type gate struct {
	mu      sync.Mutex
	printed []string
	busy    atomic.Int32
	open    chan struct{}
}

func newGate() *gate { return &gate{open: make(chan struct{})} }

func (g *gate) print(ctx context.Context, html string) ([]byte, error) {
	g.busy.Add(1)
	defer g.busy.Add(-1)
	select {
	case <-g.open:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	name, _, _ := strings.Cut(html, "|")
	g.printed = append(g.printed, name)
	return fakePDF(html), nil
}

func (g *gate) order() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Clone(g.printed)
}

// wantUnavailable checks an error and its RetryAfter (behaviour: pdf#failed-rendering).
func wantUnavailable(t *testing.T, err error, kind errs.Kind, retry time.Duration) {
	t.Helper()
	if e, ok := errs.As(err); !ok || e.Code != "SERVICE_UNAVAILABLE" || e.Kind != kind || e.RetryAfter != retry {
		t.Errorf("got %v, want SERVICE_UNAVAILABLE of kind %d with RetryAfter %v", err, kind, retry)
	}
}

func TestFullQueueReturnsUnavailable(t *testing.T) {
	g := newGate()
	l := limits()
	l.Queue = 2
	s, pool := fakeService(t, l, 10, always(g.print))
	var all sync.WaitGroup
	for i := range 3 {
		all.Go(func() {
			if _, err := s.Render(patient(t), named(fmt.Sprint(i), fmt.Sprint(i))); err != nil {
				t.Errorf("document %d: %v", i, err)
			}
		})
		if i == 0 {
			await(t, "the first is being printed", func() bool { return g.busy.Load() == 1 })
		}
	}
	await(t, "two wait", func() bool { return pool.Waiting() == 2 })
	// If the document were queued, it would wait until this test opens the gate.
	_, err := s.Render(patient(t), named("late", "late"))
	wantUnavailable(t, err, errs.Unavailable, 2*time.Second)
	close(g.open)
	all.Wait()
	if _, err := s.Render(patient(t), named("late", "late")); err != nil {
		t.Errorf("after the queue drained: %v", err)
	}
}

func TestShareCannotFillQueue(t *testing.T) {
	g := newGate()
	l := limits()
	l.Queue = 8
	s, pool := fakeService(t, l, 3, always(g.print))
	var all sync.WaitGroup
	render1 := func(share, name string) {
		all.Go(func() {
			if _, err := s.Render(patient(t), named(share, name)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		})
	}
	render1("greedy", "g0")
	await(t, "the first is being printed", func() bool { return g.busy.Load() == 1 })
	for i := 1; i < 3; i++ {
		render1("greedy", fmt.Sprintf("g%d", i))
		await(t, "it waits", func() bool { return pool.Waiting() == i })
	}
	_, err := s.Render(patient(t), named("greedy", "g3"))
	wantUnavailable(t, err, errs.Exhausted, 2*time.Second)
	render1("modest", "m")
	await(t, "another share may still wait", func() bool { return pool.Waiting() == 3 })
	close(g.open)
	all.Wait()
	if got, want := g.order(), []string{"g0", "g1", "m", "g2"}; !slices.Equal(got, want) {
		t.Errorf("printed in order %v, want round-robin %v", got, want)
	}
}

func TestSameContentIsPrintedOnce(t *testing.T) {
	g := newGate()
	s, pool := fakeService(t, limits(), 100, always(g.print))
	const callers = 20
	results := make([]render.Result, callers)
	var all sync.WaitGroup
	for i := range callers {
		all.Go(func() {
			var err error
			if results[i], err = s.Render(patient(t), named("p", "same")); err != nil {
				t.Error(err)
			}
		})
	}
	await(t, "all wait for one document", func() bool { return pool.Joined() == callers })
	close(g.open)
	all.Wait()
	again, err := s.Render(patient(t), named("p", "same"))
	if err != nil {
		t.Fatal(err)
	}
	if got := g.order(); len(got) != 1 {
		t.Errorf("printed %v, want once", got)
	}
	for _, r := range append(results, again) {
		if r.ETag != results[0].ETag || string(r.PDF) != string(results[0].PDF) {
			t.Error("callers got different documents")
		}
	}
}

func TestLeavingCallerDoesNotAffectOthers(t *testing.T) {
	g := newGate()
	s, pool := fakeService(t, limits(), 100, always(g.print))
	leaver, leave := context.WithCancel(t.Context())
	left, stayed := make(chan error, 1), make(chan error, 1)
	go func() { _, err := s.Render(leaver, named("p", "same")); left <- err }()
	await(t, "the first waits", func() bool { return pool.Joined() == 1 })
	go func() { _, err := s.Render(patient(t), named("p", "same")); stayed <- err }()
	await(t, "both wait", func() bool { return pool.Joined() == 2 })
	leave()
	if err := <-left; !errors.Is(err, context.Canceled) {
		t.Errorf("the caller that gave up got %v", err)
	}
	close(g.open)
	if err := <-stayed; err != nil {
		t.Errorf("the other caller got %v", err)
	}
}

func TestAbandonedDocumentIsNotPrinted(t *testing.T) {
	g := newGate()
	s, pool := fakeService(t, limits(), 100, always(g.print))
	first := make(chan error, 1)
	go func() { _, err := s.Render(patient(t), named("a", "first")); first <- err }()
	await(t, "the first is being printed", func() bool { return g.busy.Load() == 1 })
	ctx, cancel := context.WithCancel(t.Context())
	second := make(chan error, 1)
	go func() { _, err := s.Render(ctx, named("b", "second")); second <- err }()
	await(t, "the second waits", func() bool { return pool.Waiting() == 1 })
	cancel()
	<-second
	await(t, "it has left the queue", func() bool { return pool.Waiting() == 0 })
	close(g.open)
	if err := <-first; err != nil {
		t.Fatal(err)
	}
	if _, err := s.Render(patient(t), named("c", "third")); err != nil {
		t.Fatal(err)
	}
	if got, want := g.order(), []string{"first", "third"}; !slices.Equal(got, want) {
		t.Errorf("printed %v, want %v", got, want)
	}
	if _, err := s.Render(patient(t), named("b", "second")); err != nil {
		t.Errorf("requested again: %v", err)
	}
}

func TestBrokenPDFIsNeverServed(t *testing.T) {
	whole := string(fakePDF("x"))
	for name, file := range map[string]string{
		"empty":         "",
		"no header":     whole[5:],
		"cut off":       whole[:len(whole)-8],
		"no pages":      strings.Replace(whole, "/Count 1", "/Count 0", 1),
		"shifted table": strings.Replace(whole, "%PDF-1.4\n", "%PDF-1.4\n\n", 1),
		"an error page": "<html>error</html>",
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := fakeService(t, limits(), 10, always(func(context.Context, string) ([]byte, error) { return []byte(file), nil }))
			r, err := s.Render(patient(t), named("p", "broken"))
			wantUnavailable(t, err, errs.Unavailable, 5*time.Second)
			if r.PDF != nil || r.ETag != "" {
				t.Error("a document was returned with the error")
			}
		})
	}
}

func TestLostBrowserIsReplacedWithinCall(t *testing.T) {
	var prints atomic.Int32
	s, _ := fakeService(t, limits(), 10, always(func(_ context.Context, html string) ([]byte, error) {
		if prints.Add(1) == 1 {
			return nil, fmt.Errorf("%w: killed", errLost)
		}
		return fakePDF(html), nil
	}))
	if _, err := s.Render(patient(t), named("p", "x")); err != nil {
		t.Error(err)
	}
}

func TestDocumentIsTriedInAtMostTwoBrowsers(t *testing.T) {
	var prints atomic.Int32
	s, _ := fakeService(t, limits(), 10, always(func(context.Context, string) ([]byte, error) {
		prints.Add(1)
		return nil, fmt.Errorf("%w: crashed", errLost)
	}))
	_, err := s.Render(patient(t), named("p", "x"))
	wantUnavailable(t, err, errs.Unavailable, 5*time.Second)
	if n := prints.Load(); n != 2 {
		t.Errorf("printed %d times, want 2", n)
	}
}

func TestDeadlineStopsHeavyDocument(t *testing.T) {
	l := limits()
	l.Deadline = time.Second // applies to the light document as well
	s, _ := fakeService(t, l, 10, always(func(ctx context.Context, html string) ([]byte, error) {
		if strings.HasPrefix(html, "heavy") {
			<-ctx.Done()
			return nil, ctx.Err()
		}
		return fakePDF(html), nil
	}))
	_, err := s.Render(patient(t), named("p", "heavy"))
	wantUnavailable(t, err, errs.Unavailable, 5*time.Second)
	if _, err := s.Render(patient(t), named("q", "light")); err != nil {
		t.Error(err)
	}
}

func TestBrowserIsRecycledAfterLimit(t *testing.T) {
	var launches atomic.Int32
	l := limits()
	l.Recycle = 3 // the probe at the start counts as one
	s, _ := fakeService(t, l, 10, func(context.Context) (render.Browser, error) {
		launches.Add(1)
		return newPrinter(nil), nil
	})
	for i := range 4 {
		if _, err := s.Render(patient(t), named("p", fmt.Sprint(i))); err != nil {
			t.Fatal(err)
		}
	}
	await(t, "the third browser starts", func() bool { return launches.Load() == 3 })
}

func TestFailedProbeReplacesBrowser(t *testing.T) {
	var launches atomic.Int32
	l := limits()
	l.Probe = 5 * time.Millisecond
	_, pool := fakeService(t, l, 10, func(context.Context) (render.Browser, error) {
		if launches.Add(1) == 1 {
			return &failingProbe{printer: newPrinter(nil)}, nil
		}
		return newPrinter(nil), nil
	})
	await(t, "another browser starts", func() bool { return launches.Load() >= 2 })
	await(t, "ready again", func() bool { return pool.Ready() == nil })
}

// failingProbe prints only one document.
type failingProbe struct {
	*printer
	prints int
}

func (f *failingProbe) Print(ctx context.Context, html string) ([]byte, error) {
	if f.prints++; f.prints > 1 {
		return nil, fmt.Errorf("%w: silent", errLost)
	}
	return f.printer.Print(ctx, html)
}

func TestReadyReportsFailedStart(t *testing.T) {
	var broken atomic.Bool
	broken.Store(true)
	s, pool := fakeService(t, limits(), 10, func(context.Context) (render.Browser, error) {
		if broken.Load() {
			return nil, errors.New("no usable sandbox")
		}
		return newPrinter(nil), nil
	})
	await(t, "the reason is reported", func() bool {
		err := pool.Ready()
		return err != nil && strings.Contains(err.Error(), "no usable sandbox")
	})
	_, err := s.Render(patient(t), named("p", "x")) // fails immediately, rather than at a deadline
	wantUnavailable(t, err, errs.Unavailable, 5*time.Second)
	broken.Store(false)
	await(t, "ready", func() bool { return pool.Ready() == nil })
	if _, err := s.Render(patient(t), named("p", "x")); err != nil {
		t.Error(err)
	}
}

func TestCloseReleasesWaitingCallers(t *testing.T) {
	g := newGate()
	s, pool := fakeService(t, limits(), 10, always(g.print))
	got := make(chan error, 1)
	go func() { _, err := s.Render(patient(t), named("p", "x")); got <- err }()
	await(t, "it is being printed", func() bool { return g.busy.Load() == 1 })
	pool.Close()
	wantUnavailable(t, <-got, errs.Unavailable, 5*time.Second)
}
