package render_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"vitae.internal/pkg/errs"
	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
	"vitae.internal/services/cvrender/internal/render"
	"vitae.internal/services/cvrender/internal/template"
)

func TestPoolRejectsInvalidLimits(t *testing.T) {
	log := slog.New(slog.DiscardHandler)
	for name, change := range map[string]func(*render.Limits){
		"no browser": func(l *render.Limits) { l.Slots = 0 }, "no queue": func(l *render.Limits) { l.Queue = 0 },
		"no time": func(l *render.Limits) { l.Deadline = 0 }, "no documents": func(l *render.Limits) { l.Recycle = 0 },
		"no probe": func(l *render.Limits) { l.Probe = 0 },
	} {
		l := limits()
		change(&l)
		if pool, err := render.NewPool(render.PoolConfig{Launch: always(nil), Refiner: asItIs{}, Limits: l, Log: log}); err == nil {
			pool.Close()
			t.Errorf("%s: the limits were accepted", name)
		}
	}
	least := render.Limits{Slots: 1, Queue: 1, Deadline: 1, Recycle: 1, Probe: 1}
	pool, err := render.NewPool(render.PoolConfig{Launch: always(nil), Refiner: asItIs{}, Limits: least, Log: log})
	if err != nil {
		t.Fatalf("with the minimum of each limit: %v", err)
	}
	pool.Close()
	for _, perShare := range []int{0, -1} {
		if _, err := render.NewService(render.Config{Layout: plain{}, Photos: noPhotos{}, Pool: pool, PerShare: perShare, Revision: "1", Log: log}); err == nil {
			t.Errorf("accepted with %d requests per share", perShare)
		}
	}
}

// unlaid is a Layout that fails for every CV.
type unlaid struct{ plain }

var errUnlaid = errors.New("no layout")

func (unlaid) HTML(*cvv1.SharedCv, template.Name, []byte) (string, error) {
	return "<p>half", errUnlaid
}

func TestLayoutErrorIsNotPrinted(t *testing.T) {
	var prints atomic.Int32
	_, pool := fakeService(t, limits(), 10, always(func(_ context.Context, html string) ([]byte, error) {
		prints.Add(1)
		return fakePDF(html), nil
	}))
	_, err := serviceOn(t, pool, 10, unlaid{}).Render(patient(t), named("p", "x"))
	if !errors.Is(err, errUnlaid) || prints.Load() != 0 {
		t.Errorf("%v, printed %d times", err, prints.Load())
	}
}

func TestDocumentsFailFastWithoutBrowser(t *testing.T) {
	var broken atomic.Bool
	first := newPrinter(nil)
	var launches atomic.Int32
	s, pool := fakeService(t, limits(), 10, func(context.Context) (render.Browser, error) {
		switch {
		case broken.Load():
			return nil, errors.New("no usable sandbox")
		case launches.Add(1) == 1:
			return first, nil
		}
		return newPrinter(nil), nil
	})
	if _, err := s.Render(patient(t), named("p", "before")); err != nil {
		t.Fatal(err)
	}
	broken.Store(true)
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	await(t, "no browser", func() bool { return pool.Ready() != nil })
	for i := range 3 {
		_, err := s.Render(patient(t), named("p", fmt.Sprint(i)))
		if wantUnavailable(t, err, errs.Unavailable, 5*time.Second); t.Failed() {
			return
		}
	}
	broken.Store(false)
	await(t, "ready", func() bool { return pool.Ready() == nil })
	if _, err := s.Render(patient(t), named("p", "0")); err != nil {
		t.Error(err)
	}
}

func TestFailedDocumentIsRetriedNextTime(t *testing.T) {
	var prints atomic.Int32
	s, _ := fakeService(t, limits(), 10, always(func(_ context.Context, html string) ([]byte, error) {
		if prints.Add(1) == 1 {
			return nil, errors.New("not this time")
		}
		return fakePDF(html), nil
	}))
	_, err := s.Render(patient(t), named("p", "x"))
	wantUnavailable(t, err, errs.Unavailable, 5*time.Second)
	if _, err := s.Render(patient(t), named("p", "x")); err != nil {
		t.Errorf("second attempt: %v", err)
	}
}
