package render_test

import (
	"context"
	"log/slog"
	"sync/atomic"
	"testing"

	"vitae.internal/services/cvrender/internal/cv"
	"vitae.internal/services/cvrender/internal/render"
)

func TestChangedContentIsNeverStale(t *testing.T) {
	s, _ := fakeService(t, limits(), 10, always(nil))
	seen := map[string]bool{}
	for _, headline := range []string{"one", "two", "one ", "ONE"} {
		r, err := s.Render(patient(t), render.Request{CV: cv.CV{Name: "Layla", Headline: headline}, Share: "p"})
		if err != nil {
			t.Fatal(err)
		}
		if seen[r.ETag] {
			t.Errorf("%q has the ETag of other content", headline)
		}
		seen[r.ETag] = true
	}
}

func TestKnownContentIsNotPrinted(t *testing.T) {
	var prints atomic.Int32
	s, _ := fakeService(t, limits(), 10, always(func(_ context.Context, html string) ([]byte, error) {
		prints.Add(1)
		return fakePDF(html), nil
	}))
	first, err := s.Render(patient(t), named("p", "x"))
	if err != nil {
		t.Fatal(err)
	}
	req := named("p", "x")
	req.Known = []string{"other", first.ETag}
	again, err := s.Render(patient(t), req)
	if err != nil {
		t.Fatal(err)
	}
	if !again.NotModified || again.ETag != first.ETag || again.PDF != nil || again.Filename != "x CV.pdf" {
		t.Errorf("got %+v, want not modified", again)
	}
	changed := named("p", "y")
	changed.Known = []string{first.ETag}
	if r, err := s.Render(patient(t), changed); err != nil || r.NotModified {
		t.Errorf("changed content: %+v, %v", r.NotModified, err)
	}
	if n := prints.Load(); n != 2 {
		t.Errorf("printed %d times, want 2", n)
	}
}

// An ETag of the previous release must not match.
func TestRevisionChangesETag(t *testing.T) {
	_, pool := fakeService(t, limits(), 10, always(nil))
	tag := func(revision string) string {
		s, err := render.NewService(render.Config{
			Layout: plain{}, Photos: noPhotos{}, Pool: pool, PerShare: 10, Revision: revision, Log: slog.New(slog.DiscardHandler),
		})
		if err != nil {
			t.Fatal(err)
		}
		r, err := s.Render(patient(t), named("p", "x"))
		if err != nil {
			t.Fatal(err)
		}
		return r.ETag
	}
	if tag("1") == tag("2") {
		t.Error("two revisions share an ETag")
	}
}

func TestChromiumChangesETag(t *testing.T) {
	tag := func(version string) string {
		s, _ := fakeService(t, limits(), 10, func(context.Context) (render.Browser, error) {
			p := newPrinter(nil)
			p.version = version
			return p, nil
		})
		r, err := s.Render(patient(t), named("p", "x"))
		if err != nil {
			t.Fatal(err)
		}
		return r.ETag
	}
	first, again, newer := tag("Chrome/156"), tag("Chrome/156"), tag("Chrome/157")
	if newer == first {
		t.Error("two versions of Chromium share an ETag")
	}
	if again != first {
		t.Error("the same content of the same Chromium has two ETags")
	}
}

func TestFontsChangeETag(t *testing.T) {
	old, pool := fakeService(t, limits(), 10, always(nil))
	updated := serviceOn(t, pool, 10, plain{fonts: " with one glyph more"})
	before, err := old.Render(patient(t), named("p", "x"))
	if err != nil {
		t.Fatal(err)
	}
	req := named("p", "x")
	req.Known = []string{before.ETag}
	if after, err := updated.Render(patient(t), req); err != nil || after.NotModified || after.ETag == before.ETag {
		t.Errorf("the PDF with the old fonts matches: %+v, %v", after, err)
	}
}

func TestCacheStaysWithinItsBytes(t *testing.T) {
	var prints atomic.Int32
	l := limits()
	l.Cache = int64(5 * len(fakePDF("n0||")))
	s, _ := fakeService(t, l, 10, always(func(_ context.Context, html string) ([]byte, error) {
		prints.Add(1)
		return fakePDF(html), nil
	}))
	for _, name := range []string{"n0", "n1", "n2", "n3", "n4", "n0", "n5", "n0", "n1"} {
		if _, err := s.Render(patient(t), named("p", name)); err != nil {
			t.Fatal(err)
		}
	}
	// n0 is used again and stays; n1 is the oldest when n5 is added, and is printed again.
	if n := prints.Load(); n != 7 {
		t.Errorf("printed %d times, want 7", n)
	}
}
