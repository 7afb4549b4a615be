package signin_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

// The consent page checks the request again, because a browser can open it directly.
func TestUntrustedRequestsNeverRedirect(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	app := s.Client(t, "web")
	for _, c := range []struct {
		parameter, value string
		status           int
		code             string
	}{
		{"client_id", app.ID[:len(app.ID)-1] + "_", http.StatusUnauthorized, "OAUTH_INVALID_CLIENT"},
		{"redirect_uri", "https://evil.example.com/callback", http.StatusBadRequest, "OAUTH_INVALID_REQUEST"},
	} {
		r := app.NewRequest("profile")
		r.Params.Set(c.parameter, c.value)
		a := scene.Open(t, app.URL(r))
		expect.Refused(t, a, c.status, c.code)
		if to := a.Header.Get("Location"); to != "" {
			t.Errorf("%s: Location %q", c.parameter, to)
		}
		visit := expect.Must(person.New("", "").Open(t.Context(), s.Stack.AppURLs[0]+"/oauth/authorize?"+r.Params.Encode()))(t)
		if visit.Outside != nil || visit.Status/100 != 4 || visit.Page.Has("button", person.Allow) || visit.Page.Has("button", person.SignInButton) {
			t.Errorf("%s: the page has status %d, outside %v", c.parameter, visit.Status, visit.Outside)
		}
	}
}

// Anyone can register an app, so errors redirect a browser only to the site of a verified publisher.
func TestErrorsAreReturnedToApp(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	app := s.Client(t, "web")
	r := app.NewRequest("profile admin")
	back := expect.Must(url.Parse(scene.Open(t, app.URL(r)).Header.Get("Location")))(t)
	q := back.Query()
	if !strings.HasPrefix(back.String(), world.Redirect+"?") || q.Get("error") != "invalid_scope" || q.Get("error_description") == "" ||
		q.Get("state") != r.State || q.Get("iss") != scene.Issuer() || q.Has("code") {
		t.Errorf("redirected to %s", back)
	}
	for _, base := range []string{app.BaseURL, s.Stack.AppURLs[0]} {
		visit := expect.Must(person.New("", "").Open(t.Context(), base+"/oauth/authorize?"+r.Params.Encode()))(t)
		if visit.Outside != nil || visit.Status != http.StatusBadRequest || !strings.Contains(visit.Page.Text(), "Go back to") {
			t.Errorf("%s: %d, outside %v", base, visit.Status, visit.Outside)
		}
	}
}
