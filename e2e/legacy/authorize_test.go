package legacy_test

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

func TestSigningInAgainLeadsBackToTheOlderConsentPage(t *testing.T) {
	t.Parallel()
	o := scene.NewLegacy(t, world.Full())
	visit := expect.Must(o.Person.Open(t.Context(), o.App.Authorize(o.App.Request())))(t)
	if visit.Page == nil || !visit.Page.Has("button", person.SignInButton) || !strings.Contains(visit.Page.Text(), o.AppName(t, "older")) {
		t.Fatalf("the sign-in page does not name the app: %+v", visit)
	}
	visit = expect.Must(o.Person.SignIn(t.Context(), visit.Page))(t)
	if !visit.Page.Has("checkbox", person.WholeProfile) || !strings.Contains(visit.Page.URL.Path, "/oauth/legacy/authorize") {
		t.Errorf("the person is led to %s", visit.Page.URL)
	}
}

func TestOlderAuthorizationRequestReachesItsOwnConsentPageIntact(t *testing.T) {
	t.Parallel()
	o := scene.NewLegacy(t, world.Full())
	params := o.App.Request()
	params.Set("state", "a b&ü=/")
	raw := params.Encode() + "&unknown=%7e"
	for _, c := range o.Everywhere() {
		a := expect.Must(c.Send(t.Context(), http.MethodGet, "/oauth/authorize?"+raw, ""))(t)
		if want := o.Stack.AppURLs[0] + "/oauth/legacy/authorize?" + raw; a.Status != http.StatusFound || a.Header.Get("Location") != want {
			t.Errorf("%s to %s, want %s", a, a.Header.Get("Location"), want)
		}
		expect.Identified(t, a)
	}
	if got := o.Authorize(t, o.App, params, person.Choice{}); got.Get("state") != "a b&ü=/" {
		t.Errorf("the state came back as %q", got.Get("state"))
	}
	params.Del("state")
	if got := o.Authorize(t, o.App, params, person.Choice{}); got.Get("code") == "" || len(got) != 1 {
		t.Errorf("without a state the app was sent %v", got)
	}
}

func TestOlderConsentPageSaysWhatGoesAndLeavesNothingToChoose(t *testing.T) {
	t.Parallel()
	o := scene.NewLegacy(t, world.Full())
	visit := expect.Must(o.Person.Open(t.Context(), o.App.Authorize(o.App.Request())))(t)
	visit = expect.Must(o.Person.SignIn(t.Context(), visit.Page))(t)
	at := visit.Page
	if at == nil || !strings.Contains(at.Text(), o.AppName(t, "older")) {
		t.Fatalf("no consent page that names the app: %+v", visit)
	}
	box := expect.Must(at.One("checkbox", person.WholeProfile))(t)
	if !box.Checked() || !box.Disabled() {
		t.Errorf("the profile is not fixed on: checked %v, disabled %v", box.Checked(), box.Disabled())
	}
	if photo := expect.Must(at.One("checkbox", person.SharePhoto))(t); photo.Checked() || photo.Disabled() {
		t.Error("the photo is not the person's to share")
	}
	if boxes := at.All("checkbox", ""); len(boxes) != 2 || at.Has("radiogroup", person.CVToShare) {
		t.Errorf("%d checkboxes, or a choice of CVs", len(boxes))
	}
	for _, what := range []string{"name", "email", "phone", "location", "headline", "CV as a PDF", "experience", "education", "certifications", "languages", "links", "older"} {
		if !strings.Contains(at.Text(), what) {
			t.Errorf("the page does not say %q: %s", what, at.Text())
		}
	}
}

func TestOlderInterfaceSendsDenialAndStateAlone(t *testing.T) {
	t.Parallel()
	o := scene.NewLegacy(t, world.Full())
	params := o.App.Request()
	got := o.Authorize(t, o.App, params, person.Choice{Cancel: true})
	if got.Get("error") != "access_denied" || got.Get("state") != params.Get("state") || len(got) != 2 {
		t.Errorf("the app was sent %v", got)
	}
}

func TestOlderFaultsThatMayRedirectDo(t *testing.T) {
	t.Parallel()
	o := scene.NewLegacy(t, world.Full())
	for name, c := range map[string]struct {
		change func(url.Values)
		want   string
	}{
		"no response_type":          {func(v url.Values) { v.Del("response_type") }, "invalid_request"},
		"response_type token":       {func(v url.Values) { v.Set("response_type", "token") }, "unsupported_response_type"},
		"no scope":                  {func(v url.Values) { v.Del("scope") }, "invalid_scope"},
		"a scope of the newer":      {func(v url.Values) { v.Set("scope", "profile") }, "invalid_scope"},
		"more than the one scope":   {func(v url.Values) { v.Set("scope", "profile:read email") }, "invalid_scope"},
		"scope twice":               {func(v url.Values) { v.Add("scope", "profile:read") }, "invalid_request"},
		"response_type not in text": {func(v url.Values) { v.Set("response_type", "\xff") }, "invalid_request"},
	} {
		params := o.App.Request()
		c.change(params)
		a := expect.Must(o.App.Send(t.Context(), http.MethodGet, "/oauth/authorize?"+params.Encode(), ""))(t)
		to := expect.Must(url.Parse(a.Header.Get("Location")))(t)
		got := to.Query()
		if a.Status != http.StatusFound || !strings.HasPrefix(to.String(), world.Redirect+"?") || got.Get("error") != c.want ||
			got.Get("state") != params.Get("state") || got.Has("code") {
			t.Errorf("%s: %s to %s, want %s", name, a, to, c.want)
		}
	}
}

func TestOlderFaultsOfTheAppNeverRedirect(t *testing.T) {
	t.Parallel()
	o := scene.NewLegacy(t, world.Full())
	newer := o.LegacyClient(t, "newer")
	for name, c := range map[string]struct {
		change func(url.Values)
		status int
		code   string
	}{
		"no client_id":               {func(v url.Values) { v.Del("client_id") }, 400, "INVALID_REQUEST"},
		"an unknown client_id":       {func(v url.Values) { v.Set("client_id", "svc_ci_none") }, 401, "INVALID_CLIENT"},
		"client_id twice":            {func(v url.Values) { v.Add("client_id", "x") }, 400, "INVALID_REQUEST"},
		"an app that is not legacy":  {func(v url.Values) { v.Set("client_id", newer.ID) }, 401, "INVALID_CLIENT"},
		"no redirect_uri":            {func(v url.Values) { v.Del("redirect_uri") }, 400, "INVALID_REQUEST"},
		"redirect_uri twice":         {func(v url.Values) { v.Add("redirect_uri", "x") }, 400, "INVALID_REQUEST"},
		"an unknown redirect_uri":    {func(v url.Values) { v.Set("redirect_uri", "https://evil.example.com/") }, 400, "INVALID_REDIRECT_URI"},
		"nearly the redirect_uri":    {func(v url.Values) { v.Set("redirect_uri", world.Redirect+"/") }, 400, "INVALID_REDIRECT_URI"},
		"a redirect_uri that is not": {func(v url.Values) { v.Set("redirect_uri", "\x00") }, 400, "INVALID_REQUEST"},
	} {
		params := o.App.Request()
		c.change(params)
		a := expect.Must(o.App.Send(t.Context(), http.MethodGet, "/oauth/authorize?"+params.Encode(), ""))(t)
		if a.Header.Get("Location") != "" {
			t.Errorf("%s: went to %s", name, a.Header.Get("Location"))
		}
		expect.LegacyRefused(t, a, c.status, c.code)
	}
}
