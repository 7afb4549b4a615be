package render_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"testing"
	"time"

	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
	"vitae.internal/services/cvrender/internal/pdf"
	"vitae.internal/services/cvrender/internal/render"
	"vitae.internal/services/cvrender/internal/template"
)

// printer replaces Chromium in tests that need an error or an order of events that the real Chromium
// does not produce on demand.
type printer struct {
	version string
	gone    chan struct{}
	once    sync.Once
	// print prints a document. If it is nil, Print returns a PDF that contains the document.
	print func(ctx context.Context, html string) ([]byte, error)
}

// errLost is the error that a failed browser returns.
var errLost error = lostError{}

type lostError struct{}

func (lostError) Error() string { return "lost" }
func (lostError) Lost() bool    { return true }

func newPrinter(print func(context.Context, string) ([]byte, error)) *printer {
	return &printer{version: "fake/1", gone: make(chan struct{}), print: print}
}

func (p *printer) Print(ctx context.Context, html string) ([]byte, error) {
	if p.print == nil || isProbe(html) {
		return fakePDF(html), nil
	}
	return p.print(ctx, html)
}

func (p *printer) Ping(context.Context, time.Duration) error { return nil }
func (p *printer) Version() string                           { return p.version }
func (p *printer) Gone() <-chan struct{}                     { return p.gone }
func (p *printer) Close() error                              { p.once.Do(func() { close(p.gone) }); return nil }

func isProbe(html string) bool { return bytes.Contains([]byte(html), []byte("<title>Probe</title>")) }

// fakePDF returns the smallest file that counts as a PDF.
func fakePDF(text string) []byte {
	body := fmt.Sprintf("%%PDF-1.4\n1 0 obj\n<</Title (%x)>>\nendobj\n2 0 obj\n<</Type /Pages\n/Count 1>>\nendobj\n", text)
	return fmt.Appendf(nil, "%sxref\nstartxref\n%d\n%%%%EOF\n", body, len(body))
}

// plain is a Layout whose documents contain only the CV's name, headline and photo.
type plain struct{ fonts string }

func (plain) HTML(c *cvv1.SharedCv, _ template.Name, photo []byte) (string, error) {
	return fmt.Sprintf("%s|%s|%x", c.GetDocument().GetName(), c.GetDocument().GetTitle().GetValue(), photo), nil
}
func (p plain) FontsHash() string { return "fonts" + p.fonts }

// asItIs is a Refiner that returns every file as the printer created it.
type asItIs struct{}

func (asItIs) Refine([]byte, pdf.Metadata) ([]byte, error) { return nil, errors.New("unknown") }

// noPhotos never finds a photo.
type noPhotos struct{}

func (noPhotos) Get(context.Context, string, string) ([]byte, error) {
	return nil, fmt.Errorf("no photo")
}

func limits() render.Limits {
	return render.Limits{Slots: 1, Queue: 4, Deadline: 20 * time.Second, Recycle: 1000, Probe: time.Hour, Cache: 1 << 20}
}

// fakeService returns a service with fake printers.
func fakeService(t *testing.T, l render.Limits, perShare int, launch render.Launch) (*render.Service, *render.Pool) {
	t.Helper()
	log := slog.New(slog.DiscardHandler)
	pool, err := render.NewPool(render.PoolConfig{Launch: launch, Refiner: asItIs{}, Limits: l, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return serviceOn(t, pool, perShare, plain{}), pool
}

func serviceOn(t *testing.T, pool *render.Pool, perShare int, layout render.Layout) *render.Service {
	t.Helper()
	s, err := render.NewService(render.Config{Layout: layout, Photos: noPhotos{}, Pool: pool, PerShare: perShare, Revision: "1", Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func always(p func(context.Context, string) ([]byte, error)) render.Launch {
	return func(context.Context) (render.Browser, error) { return newPrinter(p), nil }
}

func named(share, name string) render.Request {
	return render.Request{CV: &cvv1.SharedCv{Document: &cvv1.CvDocument{Name: name}}, Share: share}
}

// patient returns a context with a deadline, for a call that would wait forever if something went
// wrong.
func patient(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 15*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// await polls ok until it returns true.
func await(t *testing.T, what string, ok func() bool) {
	t.Helper()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(20 * time.Second)
	for !ok() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatal("never: " + what)
		}
	}
}
