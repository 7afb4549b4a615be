//go:build !nobrowser

package app_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync"
	"testing"
	"time"

	"vitae.internal/pkg/config"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/grpcserver/servertest"
	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
	cvrenderv1 "vitae.internal/proto/gen/vitae/cvrender/v1"
	"vitae.internal/services/cvrender/app"
	"vitae.internal/services/cvrender/internal/cvtest"
)

// rig is a complete cvrender service with a real Chromium. Its gRPC server, with the interceptors and mTLS,
// listens on a loopback port.
type rig struct {
	app    *app.App
	client cvrenderv1.CvRenderServiceClient
}

// document is the content of a response stream.
type document struct {
	head   *cvrenderv1.RenderCvHead
	file   []byte
	chunks []int
}

// newRig returns a rig with its own renderer, for tests that break the renderer or compare two renderers.
func newRig(t testing.TB) *rig {
	t.Helper()
	a, err := start(nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return serve(t, a)
}

// sharedRig returns a rig with the renderer that all tests share. The renderer has one Chromium, and a
// cache that contains the documents printed for other tests.
func sharedRig(t testing.TB) *rig {
	t.Helper()
	return standard.rig(t)
}

// photoRig is like sharedRig, but fetches photos from photoHost.
func photoRig(t testing.TB) *rig {
	t.Helper()
	return withPhotos.rig(t)
}

// photoHost is a loopback address, like all of 127.0.0.0/8. Tests use it only to serve photos.
const photoHost = "127.0.0.2"

var (
	standard   = newShared(nil)
	withPhotos = newShared(config.Environment{"VITAE_CVRENDER_PHOTO_ALLOW": photoHost + "/32"})
)

// shared is a renderer that starts when it is first used and stops after the last test.
type shared struct {
	start func() (*app.App, error)
	close func() error
}

func newShared(environment config.Environment) *shared {
	s := &shared{close: func() error { return nil }}
	s.start = sync.OnceValues(func() (*app.App, error) {
		a, err := start(environment)
		if err == nil {
			s.close = func() error { return a.Close(context.Background()) }
		}
		return a, err
	})
	return s
}

func (s *shared) rig(t testing.TB) *rig {
	t.Helper()
	a, err := s.start()
	if err != nil {
		t.Fatal(err)
	}
	return serve(t, a)
}

func TestMain(m *testing.M) {
	code := m.Run()
	for _, s := range []*shared{standard, withPhotos} {
		if err := s.close(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = max(code, 1)
		}
	}
	os.Exit(code)
}

func start(environment config.Environment) (*app.App, error) {
	cfg, err := config.Load[app.Config](environment)
	if err != nil {
		return nil, err
	}
	return app.New(context.Background(), cfg, slog.New(slog.DiscardHandler))
}

// serve starts a server and waits until its renderer is ready.
func serve(t testing.TB, a *app.App) *rig {
	t.Helper()
	r := &rig{app: a, client: client(t, a, "gateway")}
	await(t, "chromium is ready", func() bool { return a.Ready(t.Context()) == nil })
	return r
}

// client serves the app and returns a client with the certificate of the given caller.
func client(t testing.TB, a *app.App, caller string) cvrenderv1.CvRenderServiceClient {
	t.Helper()
	dir := servertest.Certificates(t, app.Name, caller)
	addr := servertest.Serve(t, servertest.Identity(t, dir, app.Name), slog.New(slog.DiscardHandler), a.Register)
	return cvrenderv1.NewCvRenderServiceClient(servertest.Dial(t, addr, app.Name, servertest.Identity(t, dir, caller)))
}

func (r *rig) tryRender(ctx context.Context, req *cvrenderv1.RenderCvRequest) (document, error) {
	stream, err := r.client.RenderCv(ctx, req)
	if err != nil {
		return document{}, err
	}
	var d document
	for {
		m, err := stream.Recv()
		switch {
		case errors.Is(err, io.EOF):
			return d, nil
		case err != nil:
			return document{}, err
		case m.GetHead() != nil:
			d.head = m.GetHead()
		default:
			d.file = append(d.file, m.GetChunk()...)
			d.chunks = append(d.chunks, len(m.GetChunk()))
		}
	}
}

func (r *rig) render(t testing.TB, cv *cvv1.SharedCv) document {
	t.Helper()
	return r.renderIn(t, cv, cvrenderv1.CvTemplate_CV_TEMPLATE_UNSPECIFIED)
}

// renderIn renders a CV with a template. It uses the name of the test as the share, because the number of
// requests per share is limited.
func (r *rig) renderIn(t testing.TB, cv *cvv1.SharedCv, template cvrenderv1.CvTemplate) document {
	t.Helper()
	d, err := r.tryRender(t.Context(), &cvrenderv1.RenderCvRequest{Cv: cv, Share: t.Name(), Template: template})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func await(t testing.TB, what string, ok func() bool) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(time.Minute)
	for !ok() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatal("never: " + what)
		}
	}
}

func TestStreamSendsHeadThenAllChunks(t *testing.T) {
	r := sharedRig(t)
	d := r.render(t, cvtest.Veteran())
	if d.head == nil || d.head.GetSize() != int64(len(d.file)) || d.head.GetEtag() == "" || d.head.GetNotModified() {
		t.Fatalf("head %v with %d bytes", d.head, len(d.file))
	}
	if got := d.head.GetFilename(); got != "Layla Haddad CV.pdf" {
		t.Errorf("file name %q", got)
	}
	for _, n := range d.chunks {
		if n > 256<<10 {
			t.Errorf("chunk has %d bytes", n)
		}
	}
	again, err := r.tryRender(t.Context(), &cvrenderv1.RenderCvRequest{
		Cv: cvtest.Veteran(), Share: "other", KnownEtags: []string{d.head.GetEtag()},
	})
	if err != nil {
		t.Fatal(err)
	}
	if !again.head.GetNotModified() || again.head.GetSize() != 0 || len(again.file) != 0 || again.head.GetEtag() != d.head.GetEtag() {
		t.Errorf("for known content, got head %v and %d bytes", again.head, len(again.file))
	}
}

func TestSameContentGivesSameBytes(t *testing.T) {
	one, two := sharedRig(t), newRig(t)
	// Print a different document first, so that the browser tabs have different histories.
	two.render(t, cvtest.Arabic())
	for name, cv := range map[string]*cvv1.SharedCv{
		"english": cvtest.Senior(), "arabic": cvtest.Arabic(), "long": cvtest.Veteran(),
	} {
		a, b := one.render(t, cv), two.render(t, cv)
		if a.head.GetEtag() != b.head.GetEtag() {
			t.Errorf("%s: ETags %s and %s", name, a.head.GetEtag(), b.head.GetEtag())
		}
		if !bytes.Equal(a.file, b.file) {
			t.Errorf("%s: different bytes have the same ETag", name)
		}
	}
}

func TestUnlistedCallersAreRejected(t *testing.T) {
	r := &rig{client: client(t, sharedRig(t).app, "auth")}
	_, err := r.tryRender(t.Context(), &cvrenderv1.RenderCvRequest{Cv: cvtest.Junior(), Share: "p"})
	if errs.KindOf(err) != errs.Denied {
		t.Errorf("call from auth returned %v, want PermissionDenied", err)
	}
}
