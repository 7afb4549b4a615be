package partnerapi_test

import (
	"bytes"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/e2e/internal/world"
)

// atReplica is an address of the first replica, changed to another replica.
func atReplica(p scene.Platform, address string, i int) string {
	return p.Stack.BaseURLs[i] + strings.TrimPrefix(address, p.Stack.BaseURLs[0])
}

func TestAResumeDownloadsAsItWasUploaded(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t, world.Applicants())
	before := time.Now()
	address, expires := p.ResumeAddress(t, "file")
	if !strings.HasPrefix(address, p.Stack.BaseURLs[0]+"/resumes?") {
		t.Fatalf("downloadUrl %q", address)
	}
	life := expect.Instant(t, expires).Sub(before)
	if life < 5*time.Minute-time.Second || expect.Instant(t, expires).After(time.Now().Add(5*time.Minute+time.Second)) {
		t.Errorf("the address lives %v, want five minutes", life)
	}
	for i := range p.Stack.BaseURLs {
		a := scene.Open(t, atReplica(p, address, i)) // without a credential
		if a.Status != http.StatusOK || !bytes.Equal(a.Body, world.ResumeFile) {
			t.Errorf("%d with %d bytes, want the %d that were uploaded", a.Status, len(a.Body), len(world.ResumeFile))
		}
		kind, params, err := mime.ParseMediaType(a.Header.Get("Content-Disposition"))
		if err != nil || kind != "attachment" || params["filename"] != "سيرة Omar's CV.pdf" {
			t.Errorf("Content-Disposition %q", a.Header.Get("Content-Disposition"))
		}
		for name, want := range map[string]string{"Content-Type": "application/pdf", "X-Content-Type-Options": "nosniff"} {
			if got := a.Header.Get(name); got != want {
				t.Errorf("%s %q, want %q", name, got, want)
			}
		}
		if got := a.Header.Get("Cache-Control"); !strings.Contains(got, "private") && !strings.Contains(got, "no-store") {
			t.Errorf("Cache-Control %q lets others keep a resume", got)
		}
	}
	// A credential is not needed, and does no harm.
	if a := expect.Must(partner.Get(t.Context(), address, p.API.Key))(t); a.Status != http.StatusOK {
		t.Errorf("with a key: %s", a)
	}
}

func TestATamperedResumeAddressIsDead(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t, world.Applicants())
	address, _ := p.ResumeAddress(t, "file")
	good := expect.Must(url.Parse(address))(t)
	dead := func(what string, query string) {
		t.Helper()
		for i := range p.Stack.BaseURLs {
			u := *good
			u.RawQuery = query
			a := scene.Open(t, atReplica(p, u.String(), i))
			if a.Status != http.StatusNotFound || bytes.Contains(a.Body, world.ResumeFile[:8]) {
				t.Errorf("%s: %s, want 404", what, a)
			}
			expect.Envelope(t, a, http.StatusNotFound)
			expect.Harmless(t, a)
		}
	}
	dead("no query", "")
	dead("garbage", "a=b&%zz")
	dead("much", strings.Repeat("a", 5000))
	for name, values := range good.Query() {
		for what, value := range map[string]string{
			"flipped": flipped(values[0]), "cut": values[0][:len(values[0])-1], "longer": values[0] + "0", "empty": "",
		} {
			q := good.Query()
			q.Set(name, value)
			dead(name+" "+what, q.Encode())
		}
		q := good.Query()
		q.Del(name)
		dead(name+" missing", q.Encode())
	}
	if a := scene.Open(t, address); a.Status != http.StatusOK {
		t.Errorf("the address itself: %s", a)
	}
	for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodDelete} {
		if a := scene.Raw(t, method, address, "", ""); a.Status != http.StatusMethodNotAllowed {
			t.Errorf("%s: %s", method, a)
		}
	}
}

// flipped is a text with its last character changed.
func flipped(s string) string {
	last := byte('1')
	if s[len(s)-1] == last {
		last = '2'
	}
	return s[:len(s)-1] + string(last)
}

func TestResumesAreTakenByTheirContent(t *testing.T) {
	t.Parallel()
	try := func(filename string, content []byte) (int, string) {
		w := world.Applicants()
		w.Developers = []world.Developer{world.Platform()}
		w.Applications = w.Applications[2:]
		w.Applications[0].Resume = &world.Resume{Filename: filename, ContentType: "application/pdf", Content: content}
		r := world.TryImport(t, suite.System, w)
		return r.Code, r.Stderr
	}
	for name, content := range map[string][]byte{
		"program.pdf": []byte("MZ\x90\x00 this is a program"), "page.pdf": []byte("<html><script>alert(1)</script>"),
		"empty.pdf": {}, "plain.doc": []byte("plain text"), "huge.pdf": append([]byte("%PDF-1.4\n"), make([]byte, 10<<20)...),
	} {
		if code, why := try(name, content); code != 1 || !strings.Contains(why, "applications[0].resume") {
			t.Errorf("%s: exit status %d: %.300s", name, code, why)
		}
	}
	if code, why := try("cv.txt", []byte(`{\rtf1\ansi Hello}`)); code != 0 {
		t.Errorf("rich text under another name: %s", why)
	}
}
