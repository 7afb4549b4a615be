package e2e_test

import (
	"mime"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/world"
)

// document asserts an answer with a PDF and gives its text.
func document(t testing.TB, a partner.Answer) string {
	t.Helper()
	if a.Status != http.StatusOK {
		t.Fatalf("no PDF: %s", a)
	}
	return poppler(t, a.Body, "pdftotext", "-enc", "UTF-8", "FILE", "-")
}

// poppler runs one of its programs on a PDF and gives what it prints.
func poppler(t testing.TB, pdf []byte, program string, args ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "cv.pdf")
	if err := os.WriteFile(file, pdf, 0o600); err != nil {
		t.Fatal(err)
	}
	for i, a := range args {
		if a == "FILE" {
			args[i] = file
		}
	}
	out, err := exec.CommandContext(t.Context(), program, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", program, err, out)
	}
	return string(out)
}

func pdfHeaders(t testing.TB, a partner.Answer) {
	t.Helper()
	identified(t, a)
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

func TestPDFIsServedInlineWithTheTagOfItsContent(t *testing.T) {
	t.Parallel()
	c := everything(t)
	direct, linked := c.get(t, "/v1/me/cv.pdf"), open(t, c.link(t))
	pdfHeaders(t, direct)
	pdfHeaders(t, linked)
	for name, want := range map[string]string{"Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex"} {
		if got := linked.Header.Get(name); got != want {
			t.Errorf("link: %s %q, want %q", name, got, want)
		}
	}
	if direct.Header.Get("ETag") != linked.Header.Get("ETag") {
		t.Error("the same content has two ETags")
	}
	for target, token := range map[string]string{c.app.BaseURL + "/v1/me/cv.pdf": c.tokens.Access, c.link(t): ""} {
		a := must(partner.Get(t.Context(), target, token, "If-None-Match", direct.Header.Get("ETag")))(t)
		if a.Status != http.StatusNotModified || len(a.Body) != 0 {
			t.Errorf("%s with its own ETag: %s, want 304", target, a)
		}
	}
	updateProfile(t, c.stack, c.created.People["layla"].ID, headline("Principal engineer"))
	after := c.get(t, "/v1/me/cv.pdf")
	if after.Header.Get("ETag") == direct.Header.Get("ETag") {
		t.Error("changed content has the old ETag")
	}
	if text := document(t, after); !strings.Contains(text, "Principal engineer") {
		t.Errorf("the PDF does not follow the CV:\n%s", text)
	}
}

func TestPDFShowsWhatTheJSONShowsAndNoMore(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	app, layla := s.app(t, "web"), s.person(t, "layla")
	public := []string{"Layla Haddad", "Backend engineer", "Lead engineer", "Careem", "Souq", "University of Jordan", "Halved settlement time"}
	for _, scope := range []string{"profile cv:read", "profile email cv:read", "profile cv:read cv:contact", allScopes} {
		c := connected{scene: s, app: app, person: layla}
		c.tokens = connect(t, app, layla, allScopes, person.Choice{Drop: without(scope)})
		for name, a := range map[string]partner.Answer{"pdf": c.get(t, "/v1/me/cv.pdf"), "link": open(t, c.link(t))} {
			text := flattened(document(t, a))
			shows(t, scope+" "+name, text, true, public...)
			shows(t, scope+" "+name, text, granted(scope, "email"), s.world.People[0].Email)
			shows(t, scope+" "+name, text, granted(scope, "cv:contact"), world.Phone, "Villa 12", "Jordanian")
			if images := poppler(t, a.Body, "pdfimages", "-list", "FILE"); strings.Count(images, "\n") > 2 {
				t.Errorf("%s %s: images without the photo permission:\n%s", scope, name, images)
			}
		}
	}
}

// flattened has lines joined and invisible direction marks taken out.
func flattened(text string) string {
	text = strings.Map(func(r rune) rune {
		if strings.ContainsRune("\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u00ad", r) {
			return -1
		}
		return r
	}, text)
	return strings.Join(strings.Fields(text), " ")
}

func shows(t testing.TB, what, text string, want bool, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if strings.Contains(text, part) != want {
			t.Errorf("%s: shows %q: %v, want %v\n%s", what, part, !want, want, text)
		}
	}
}

func TestPDFIsTaggedTitledAndEmbedsItsFonts(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	app, layla := s.app(t, "web"), s.person(t, "layla")
	for _, title := range []string{"Main CV", "السيرة الذاتية"} {
		c := connected{scene: s, app: app}
		c.tokens = connect(t, app, layla, allScopes, person.Choice{CV: title})
		a := c.get(t, "/v1/me/cv.pdf")
		info := poppler(t, a.Body, "pdfinfo", "FILE")
		for _, want := range []string{"Tagged:          yes", "Page size:       594", "Layla Haddad"} {
			if !strings.Contains(info, want) {
				t.Errorf("%s: pdfinfo lacks %q:\n%s", title, want, info)
			}
		}
		fonts := strings.Split(strings.TrimSpace(poppler(t, a.Body, "pdffonts", "FILE")), "\n")[2:]
		if len(fonts) == 0 {
			t.Errorf("%s: no fonts", title)
		}
		for _, font := range fonts {
			if fields := strings.Fields(font); fields[len(fields)-5] != "yes" {
				t.Errorf("%s: a font is not embedded: %s", title, font)
			}
		}
	}
}

func TestArabicPDFExtractsInReadingOrder(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	c := connected{scene: s, app: s.app(t, "web")}
	c.tokens = connect(t, c.app, s.person(t, "layla"), allScopes, person.Choice{CV: "السيرة الذاتية"})
	text := flattened(document(t, c.get(t, "/v1/me/cv.pdf")))
	last := -1
	for _, part := range []string{"مهندسة برمجيات تبني أنظمة دفع موثوقة", "مهندسة أولى", "قيادة فريق من ثمانية مهندسين"} {
		at := strings.Index(text, part)
		if at <= last {
			t.Errorf("%q at %d, after what comes before it at %d:\n%s", part, at, last, text)
		}
		last = at
	}
	shows(t, "Arabic", text, true, world.Phone, s.world.People[0].Email)
}

func TestDurableLinkIsTheSameForEveryReadAndToken(t *testing.T) {
	t.Parallel()
	c := everything(t)
	link := c.link(t)
	next := must(must(c.app.Refresh(t.Context(), c.tokens.Refresh, ""))(t).Tokens())(t)
	c.tokens = next
	if again := c.link(t); again != link {
		t.Errorf("link %s after %s", again, link)
	}
	// It shows what the person shares now.
	if err := c.person.ChooseCV(t.Context(), c.stack.AppURLs[0], c.appName(t, "web"), "السيرة الذاتية"); err != nil {
		t.Fatal(err)
	}
	if again := c.link(t); again != link {
		t.Errorf("link %s after %s: another CV is the same consent", again, link)
	}
	shows(t, "link", flattened(document(t, open(t, link))), true, "مهندسة أولى")
	matches(t, "id", c.created.CVs["arabic"].ID, success(t, c.get(t, "/v1/me/cv"))["id"])
	for _, base := range c.stack.BaseURLs {
		if a := open(t, base+mustPath(t, link)); a.Status != http.StatusOK {
			t.Errorf("%s: %s", base, a)
		}
	}
}

func TestTamperedLinksAreUnknown(t *testing.T) {
	t.Parallel()
	c := everything(t)
	link := c.link(t)
	prefix := link[:strings.LastIndexByte(link, '/')+1]
	token := link[len(prefix):]
	tampered := []string{
		"x", "..", "%00", "%2e%2e%2f", token[:len(token)-1], token + "A", strings.ToUpper(token), token + "%20",
		strings.Repeat("A", len(token)), strings.Repeat("A", 4000), c.tokens.Access,
	}
	for i := 0; i < len(token); i += 7 {
		flipped := byte('A')
		if token[i] == 'A' {
			flipped = 'B'
		}
		tampered = append(tampered, token[:i]+string(flipped)+token[i+1:])
	}
	for _, bad := range tampered {
		a := open(t, prefix+bad)
		if code := a.Code(); a.Status != http.StatusNotFound || (code != "CV_LINK_NOT_FOUND" && code != "NOT_FOUND") {
			t.Errorf("link with %q: %s", bad, a)
		}
	}
	refused(t, open(t, prefix+token[:len(token)-2]+"AA"), http.StatusNotFound, "CV_LINK_NOT_FOUND")
}

func TestHostileCVReachesNothingAndIsShownAsText(t *testing.T) {
	t.Parallel()
	var hits atomic.Int64
	canary := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		hits.Add(1)
		t.Errorf("the renderer reached the canary: %s", r.URL)
	}))
	defer canary.Close()

	hostile := world.Full()
	hostile.AvatarURL = canary.URL + "/avatar.png"
	script := "<script>fetch('" + canary.URL + "/script')</script>"
	image := "<img src=" + canary.URL + "/image onerror=alert(1)>"
	style := "</style><style>@import url(" + canary.URL + "/style);body{background:url(" + canary.URL + "/css)}"
	hostile.Headline = script
	hostile.Profile.Summary = image + " {{.}} ${7*7}"
	hostile.Profile.Bio = style
	hostile.Profile.Skills = []string{`<iframe src="file:///etc/passwd">`, `<link rel=stylesheet href="` + canary.URL + `/link">`, `<object data="file:///etc/hostname">`}
	hostile.Profile.Projects[0]["image"] = canary.URL + "/project.png"
	hostile.Profile.Experiences[1]["overview"] = `<svg><use href="` + canary.URL + `/svg#a"/></svg><base href="` + canary.URL + `">`
	s := newScene(t, hostile)
	c := connected{scene: s, app: s.app(t, "web")}
	c.tokens = connect(t, c.app, s.person(t, "layla"), allScopes, person.Choice{Photo: true})

	text := document(t, c.get(t, "/v1/me/cv.pdf"))
	// Long words may be broken over lines: compare without any space.
	squeezed := strings.ReplaceAll(flattened(text), " ", "")
	for _, want := range []string{script, image, "{{.}}", "${7*7}", "file:///etc/passwd", "@importurl("} {
		if !strings.Contains(squeezed, strings.ReplaceAll(want, " ", "")) {
			t.Errorf("not shown as text: %s\n%s", want, text)
		}
	}
	shows(t, "hostile", text, false, "root:x:0:0")
	document(t, open(t, c.link(t)))
	if n := hits.Load(); n != 0 {
		t.Errorf("the canary was reached %d times", n)
	}
}
