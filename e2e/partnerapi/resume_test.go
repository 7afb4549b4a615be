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
	"vitae.internal/e2e/internal/world"
)

// atReplica returns a URL of the first replica with the host of a different replica.
func atReplica(p scene.Platform, address string, i int) string {
	return p.Stack.BaseURLs[i] + strings.TrimPrefix(address, p.Stack.BaseURLs[0])
}

func TestResumeDownloadsAsUploaded(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t, world.Applicants())
	before := time.Now()
	address, expires := p.ResumeURL(t, "file")
	if !strings.HasPrefix(address, p.Stack.BaseURLs[0]+"/resumes?") {
		t.Fatalf("downloadUrl %q", address)
	}
	life := expect.Instant(t, expires).Sub(before)
	if life < 5*time.Minute-time.Second || expect.Instant(t, expires).After(time.Now().Add(5*time.Minute+time.Second)) {
		t.Errorf("the URL is valid for %v, want five minutes", life)
	}
	for i := range p.Stack.BaseURLs {
		a := scene.Open(t, atReplica(p, address, i)) // without a credential
		if a.Status != http.StatusOK || !bytes.Equal(a.Body, world.ResumeFile) {
			t.Errorf("%d with %d bytes, want the %d uploaded bytes", a.Status, len(a.Body), len(world.ResumeFile))
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
			t.Errorf("Cache-Control %q allows shared caches to store a resume", got)
		}
	}
	tampered := expect.Must(url.Parse(address))(t)
	query := tampered.Query()
	query.Set("signature", strings.ToLower(query.Get("signature"))+"0")
	tampered.RawQuery = query.Encode()
	expect.Refused(t, scene.Open(t, tampered.String()), http.StatusNotFound, "NOT_FOUND")
	// A credential is not required and has no effect.
	if a := expect.Must(partner.Get(t.Context(), address, p.API.Key))(t); a.Status != http.StatusOK {
		t.Errorf("with a key: %s", a)
	}
}
