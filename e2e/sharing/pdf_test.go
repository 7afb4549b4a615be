package sharing_test

import (
	"mime"
	"net/http"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

func pdfHeaders(t testing.TB, a partner.Response) {
	t.Helper()
	expect.Identified(t, a)
	for name, want := range map[string]string{"Content-Type": "application/pdf", "Cache-Control": "private, no-cache"} {
		if got := a.Header.Get(name); got != want {
			t.Errorf("%s %q, want %q", name, got, want)
		}
	}
	disposition := a.Header.Get("Content-Disposition")
	kind, params, err := mime.ParseMediaType(disposition)
	if err != nil || kind != "inline" || !strings.HasSuffix(params["filename"], ".pdf") ||
		!strings.Contains(disposition, `filename="`) || !strings.Contains(disposition, "filename*=UTF-8''") {
		t.Errorf("Content-Disposition %q", disposition)
	}
	if tag := a.Header.Get("ETag"); len(tag) < 3 || strings.HasPrefix(tag, "W/") {
		t.Errorf("ETag %q, want a strong one", tag)
	}
}

func TestPDFHeadersAndETag(t *testing.T) {
	t.Parallel()
	c := scene.Everything(t)
	direct, linked := c.Get(t, "/v1/me/cv.pdf"), scene.Open(t, c.Link(t))
	pdfHeaders(t, direct)
	pdfHeaders(t, linked)
	for name, want := range map[string]string{"Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex"} {
		if got := linked.Header.Get(name); got != want {
			t.Errorf("link: %s %q, want %q", name, got, want)
		}
	}
	if direct.Header.Get("ETag") != linked.Header.Get("ETag") {
		t.Error("the same content has different ETags")
	}
	for target, token := range map[string]string{c.App.BaseURL + "/v1/me/cv.pdf": c.Tokens.Access, c.Link(t): ""} {
		a := expect.Must(partner.Get(t.Context(), target, token, "If-None-Match", direct.Header.Get("ETag")))(t)
		if a.Status != http.StatusNotModified || len(a.Body) != 0 {
			t.Errorf("%s with its own ETag: %s, want 304", target, a)
		}
	}
	scene.UpdateProfile(t, c.Stack, c.Created.People["layla"].ID, scene.Headline("Principal engineer"))
	after := c.Get(t, "/v1/me/cv.pdf")
	if after.Header.Get("ETag") == direct.Header.Get("ETag") {
		t.Error("changed content has the old ETag")
	}
	if text := expect.PDFText(t, after); !strings.Contains(text, "Principal engineer") {
		t.Errorf("the PDF does not show the changed CV:\n%s", text)
	}
}

func TestPDFShowsWhatJSONShows(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	app, layla := s.Client(t, "web"), s.NewPerson(t, "layla")
	public := []string{"Layla Haddad", "Backend engineer", "Lead engineer", "Careem", "Souq", "University of Jordan", "Halved settlement time"}
	for _, scope := range []string{"profile cv:read", "profile email cv:read", "profile cv:read cv:contact", world.EveryScope} {
		c := scene.Connected{Scene: s, App: app, Person: layla}
		c.Tokens = scene.Connect(t, app, layla, world.EveryScope, person.Choice{Drop: without(scope)})
		for name, a := range map[string]partner.Response{"pdf": c.Get(t, "/v1/me/cv.pdf"), "link": scene.Open(t, c.Link(t))} {
			text := expect.Flattened(expect.PDFText(t, a))
			expect.Shows(t, scope+" "+name, text, true, public...)
			expect.Shows(t, scope+" "+name, text, scene.Granted(scope, "email"), s.World.People[0].Email)
			expect.Shows(t, scope+" "+name, text, scene.Granted(scope, "cv:contact"), world.Phone, "Villa 12", "Jordanian")
			if images := expect.Poppler(t, a.Body, "pdfimages", "-list", "FILE"); strings.Count(images, "\n") > 2 {
				t.Errorf("%s %s: images without the photo permission:\n%s", scope, name, images)
			}
		}
	}
}
