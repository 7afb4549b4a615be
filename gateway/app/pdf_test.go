package app_test

import (
	"net/http"
	"strings"
	"testing"

	"vitae.internal/gateway/internal/admission/signedurl"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/testkit"
)

// link requests the durable CV link of the scene's connection.
func (s *scene) link(headers ...string) answer {
	s.t.Helper()
	return s.do(http.MethodGet, s.linkPath(), "", headers...)
}

func (s *scene) linkPath() string {
	s.t.Helper()
	signer, err := signedurl.New(testkit.Ring("cv_link", "a"), baseURL)
	if err != nil {
		s.t.Fatal(err)
	}
	return strings.TrimPrefix(signer.CVLink(linkID), baseURL)
}

const pdfBytes = "%PDF-1.7 bytes"

func TestPDFHasHeaders(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	for name, a := range map[string]answer{"token": s.get("/v1/me/cv.pdf"), "link": s.link()} {
		if a.StatusCode != 200 || a.body != pdfBytes || a.ContentLength != int64(len(pdfBytes)) {
			t.Errorf("%s: %d %q", name, a.StatusCode, a.body)
		}
		for header, want := range map[string]string{
			"Content-Type":           "application/pdf",
			"Content-Disposition":    `inline; filename="CV.pdf"; filename*=UTF-8''%D9%84%D9%8A%D9%84%D9%89%20CV.pdf`,
			"ETag":                   `"tag1"`,
			"Cache-Control":          "private, no-cache",
			"Referrer-Policy":        "no-referrer",
			"X-Content-Type-Options": "nosniff",
		} {
			if got := a.Header.Get(header); got != want {
				t.Errorf("%s: %s = %q, want %q", name, header, got, want)
			}
		}
		if got := a.Header.Get("X-Robots-Tag"); (got == "noindex") != (name == "link") {
			t.Errorf("%s: X-Robots-Tag %q", name, got)
		}
	}
	if s.renderer.request().GetShare() != "usr_1" || s.renderer.request().GetCv().GetPdf() != nil || s.renderer.request().GetCv().GetTitle() != "Main CV" {
		t.Errorf("cvrender received %v", s.renderer.request())
	}
}

func TestKnownPDFIsNotModified(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	for _, held := range []string{`"tag1"`, `W/"tag1"`, `"x", "tag1"`, "*"} {
		a := s.get("/v1/me/cv.pdf", "If-None-Match", held)
		if a.StatusCode != 304 || a.body != "" || a.Header.Get("ETag") != `"tag1"` || a.Header.Get("Content-Type") != "" {
			t.Errorf("%s: %d %q %v", held, a.StatusCode, a.body, a.Header)
		}
	}
	s.link("If-None-Match", `"a", W/"b"`)
	if got := strings.Join(s.renderer.request().GetKnownEtags(), ","); got != "a,b" {
		t.Errorf("cvrender received the tags %q", got)
	}
	if a := s.link("If-None-Match", `"other"`); a.StatusCode != 200 {
		t.Errorf("different tag: status %d", a.StatusCode)
	}
}

func TestPDFIsNeverTruncated(t *testing.T) {
	t.Parallel()
	full := errs.New(errs.Exhausted, "QUEUE_FULL", "The queue is full.")
	for name, c := range map[string]struct {
		change func(*fakeRenderer)
		status int
		code   string
	}{
		"queue full":           {func(f *fakeRenderer) { f.head, f.parts, f.fault = nil, nil, full }, 503, "SERVICE_UNAVAILABLE"},
		"killed after a chunk": {func(f *fakeRenderer) { f.fault = errs.New(errs.Unavailable, "KILLED", "x") }, 503, "SERVICE_UNAVAILABLE"},
		"ends too early":       {func(f *fakeRenderer) { f.parts = f.parts[:1] }, 500, "INTERNAL_ERROR"},
		"nothing at all":       {func(f *fakeRenderer) { f.head, f.parts = nil, nil }, 500, "INTERNAL_ERROR"},
		"no head":              {func(f *fakeRenderer) { f.head = nil }, 500, "INTERNAL_ERROR"},
		"too large":            {func(f *fakeRenderer) { f.head.Size = 1 << 40 }, 500, "INTERNAL_ERROR"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t)
			s.renderer.set(c.change)
			for _, a := range []answer{s.get("/v1/me/cv.pdf"), s.link()} {
				a.wantEnvelope(t, c.status, c.code)
				if a.Header.Get("ETag") != "" || a.Header.Get("Content-Disposition") != "" {
					t.Errorf("an error response has headers of a PDF: %v", a.Header)
				}
			}
		})
	}
}
