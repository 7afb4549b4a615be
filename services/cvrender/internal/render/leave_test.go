package render_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"testing"

	"google.golang.org/protobuf/types/known/wrapperspb"

	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
	"vitae.internal/services/cvrender/internal/render"
	"vitae.internal/services/cvrender/internal/template"
)

func TestQueuedDocumentSurvivesLeavingCaller(t *testing.T) {
	g := newGate()
	s, pool := fakeService(t, limits(), 100, always(g.print))
	answers := make(chan error, 2)
	ask := func(ctx context.Context, name string, to chan<- error) {
		go func() { _, err := s.Render(ctx, named("p", name)); to <- err }()
	}
	ask(patient(t), "first", answers)
	await(t, "the first is being printed", func() bool { return g.busy.Load() == 1 })
	leaver, leave := context.WithCancel(t.Context())
	left := make(chan error, 1)
	ask(leaver, "same", left)
	ask(patient(t), "same", answers)
	await(t, "two wait for the second", func() bool { return pool.Joined() == 3 && pool.Waiting() == 1 })
	leave()
	if err := <-left; !errors.Is(err, context.Canceled) {
		t.Errorf("the caller that gave up got %v", err)
	}
	await(t, "one waits for the second", func() bool { return pool.Joined() == 2 })
	close(g.open)
	for range 2 {
		if err := <-answers; err != nil {
			t.Errorf("the other caller got %v", err)
		}
	}
	if got := g.order(); !slices.Equal(got, []string{"first", "same"}) {
		t.Errorf("printed %v", got)
	}
}

// photos is a Photos that calls a function provided by the test.
type photos func(ctx context.Context, share, address string) ([]byte, error)

func (p photos) Get(ctx context.Context, share, address string) ([]byte, error) {
	return p(ctx, share, address)
}

// laid is a Layout that counts the CVs that were laid out.
type laid struct {
	plain
	photos []string
}

func (l *laid) HTML(c *cvv1.SharedCv, t template.Name, photo []byte) (string, error) {
	l.photos = append(l.photos, string(photo))
	return l.plain.HTML(c, t, photo)
}

func withPhoto(address string) render.Request {
	r := named("usr_1", "x")
	r.CV.Document.AvatarUrl = wrapperspb.String(address)
	return r
}

func TestCVIsRenderedWithoutFailedPhoto(t *testing.T) {
	_, pool := fakeService(t, limits(), 10, always(nil))
	var log bytes.Buffer
	ctx, leave := context.WithCancel(t.Context())
	layout := &laid{}
	s, err := render.NewService(render.Config{
		Layout: layout, Pool: pool, PerShare: 10, Revision: "1", Log: slog.New(slog.NewTextHandler(&log, nil)),
		Photos: photos(func(_ context.Context, share, address string) ([]byte, error) {
			switch address {
			case "good":
				return []byte("photo of " + share), nil
			case "leaves":
				leave()
			}
			return []byte("half"), errors.New("no photo")
		}),
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, address := range []string{"good", "bad", ""} {
		if _, err := s.Render(patient(t), withPhoto(address)); err != nil {
			t.Errorf("%q: %v", address, err)
		}
	}
	if n := bytes.Count(log.Bytes(), []byte("rendering without photo")); n != 1 {
		t.Errorf("%d missing photos are logged:\n%s", n, log.String())
	}
	_, err = s.Render(ctx, withPhoto("leaves"))
	if want := []string{"photo of usr_1", "", ""}; !errors.Is(err, context.Canceled) || !slices.Equal(layout.photos, want) {
		t.Errorf("%v; laid out with %q, want %q", err, layout.photos, want)
	}
}

func TestPrintingIsDeterministic(t *testing.T) {
	var files [][]byte
	for second := range 2 {
		s, _ := fakeService(t, limits(), 10, always(func(_ context.Context, html string) ([]byte, error) {
			file := fakePDF(html + " in a title that is longer than a date")
			from, to := bytes.Index(file, []byte("/Title")), bytes.Index(file, []byte(">>"))
			copy(file[from:to], fmt.Sprintf("%-*s", to-from, fmt.Sprintf("/CreationDate (D:2026010203040%d+00'00')", second)))
			return file, nil
		}))
		r, err := s.Render(patient(t), named("p", "x"))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, r.PDF)
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Errorf("%q and %q", files[0], files[1])
	}
}
