package render_test

import (
	"context"
	"log/slog"
	"sync/atomic"
	"testing"

	"google.golang.org/protobuf/types/known/wrapperspb"

	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
	"vitae.internal/services/cvrender/internal/render"
)

func TestChangedContentIsNeverStale(t *testing.T) {
	s, _ := fakeService(t, limits(), 10, always(nil))
	seen := map[string]bool{}
	for _, headline := range []string{"one", "two", "one ", "ONE"} {
		r, err := s.Render(patient(t), render.Request{CV: &cvv1.SharedCv{Document: &cvv1.CvDocument{Name: "Layla", Title: wrapperspb.String(headline)}}, Share: "p"})
		if err != nil {
			t.Fatal(err)
		}
		if seen[r.ETag] {
			t.Errorf("%q has the ETag of different content", headline)
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

// An ETag from the previous release must not match.
func TestCodeFontsAndChromiumChangeETag(t *testing.T) {
	tag := func(revision, fonts, version string) string {
		_, pool := fakeService(t, limits(), 10, func(context.Context) (render.Browser, error) {
			p := newPrinter(nil)
			p.version = version
			return p, nil
		})
		s, err := render.NewService(render.Config{
			Layout: plain{fonts}, Photos: noPhotos{}, Pool: pool, PerShare: 10, Revision: revision, Log: slog.New(slog.DiscardHandler),
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
	first := tag("1", "a", "Chrome/156")
	if again := tag("1", "a", "Chrome/156"); again != first {
		t.Error("the same content has two different ETags")
	}
	for what, other := range map[string]string{
		"revision": tag("2", "a", "Chrome/156"), "fonts": tag("1", "b", "Chrome/156"), "Chromium": tag("1", "a", "Chrome/157"),
	} {
		if other == first {
			t.Errorf("a different %s does not change the ETag", what)
		}
	}
}
