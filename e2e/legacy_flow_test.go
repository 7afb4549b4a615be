package e2e_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/world"
)

func TestOlderInterfaceGoesTheWholeWay(t *testing.T) {
	t.Parallel()
	o := newOlder(t, world.Full())
	token := o.connect(t, person.Choice{})
	o.reads(t, token)
	data := olderSuccess(t, must(o.app.Profile(t.Context(), token))(t))
	if data["name"] != "Layla Haddad" {
		t.Errorf("the profile is that of %v", data["name"])
	}
	revoked := must(o.app.Revoke(t.Context(), token))(t)
	body := must(revoked.JSON())(t)
	hasKeys(t, "envelope", body, "success", "message")
	if revoked.Status != http.StatusOK || body["success"] != true {
		t.Errorf("the revocation answers %s", revoked)
	}
	o.dead(t, token)
}

func TestOlderAuthorizationRequestReachesItsOwnConsentPageIntact(t *testing.T) {
	t.Parallel()
	o := newOlder(t, world.Full())
	params := o.app.Request()
	params.Set("state", "a b&ü=/")
	raw := params.Encode() + "&unknown=%7e"
	for _, c := range o.everywhere() {
		a := must(c.Send(t.Context(), http.MethodGet, "/oauth/authorize?"+raw, ""))(t)
		if want := o.stack.AppURLs[0] + "/oauth/legacy/authorize?" + raw; a.Status != http.StatusFound || a.Header.Get("Location") != want {
			t.Errorf("%s to %s, want %s", a, a.Header.Get("Location"), want)
		}
		identified(t, a)
	}
	if got := o.answered(t, o.app, params, person.Choice{}); got.Get("state") != "a b&ü=/" {
		t.Errorf("the state came back as %q", got.Get("state"))
	}
	params.Del("state")
	if got := o.answered(t, o.app, params, person.Choice{}); got.Get("code") == "" || len(got) != 1 {
		t.Errorf("without a state the app was sent %v", got)
	}
}

func TestOlderConsentPageSaysWhatGoesAndLeavesNothingToChoose(t *testing.T) {
	t.Parallel()
	o := newOlder(t, world.Full())
	visit := must(o.person.Open(t.Context(), o.app.Authorize(o.app.Request())))(t)
	visit = must(o.person.SignIn(t.Context(), visit.Page))(t)
	at := visit.Page
	if at == nil || !strings.Contains(at.Text(), o.appName(t, "older")) {
		t.Fatalf("no consent page that names the app: %+v", visit)
	}
	box := must(at.One("checkbox", wholeProfile))(t)
	if !box.Checked() || !box.Disabled() {
		t.Errorf("the profile is not fixed on: checked %v, disabled %v", box.Checked(), box.Disabled())
	}
	if photo := must(at.One("checkbox", person.SharePhoto))(t); photo.Checked() || photo.Disabled() {
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
	o := newOlder(t, world.Full())
	params := o.app.Request()
	got := o.answered(t, o.app, params, person.Choice{Cancel: true})
	if got.Get("error") != "access_denied" || got.Get("state") != params.Get("state") || len(got) != 2 {
		t.Errorf("the app was sent %v", got)
	}
}

func TestOlderFaultsThatMayRedirectDo(t *testing.T) {
	t.Parallel()
	o := newOlder(t, world.Full())
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
		params := o.app.Request()
		c.change(params)
		a := must(o.app.Send(t.Context(), http.MethodGet, "/oauth/authorize?"+params.Encode(), ""))(t)
		to := must(url.Parse(a.Header.Get("Location")))(t)
		got := to.Query()
		if a.Status != http.StatusFound || !strings.HasPrefix(to.String(), world.Redirect+"?") || got.Get("error") != c.want ||
			got.Get("state") != params.Get("state") || got.Has("code") {
			t.Errorf("%s: %s to %s, want %s", name, a, to, c.want)
		}
	}
}

func TestOlderFaultsOfTheAppNeverRedirect(t *testing.T) {
	t.Parallel()
	o := newOlder(t, world.Full())
	newer := o.client(t, "newer")
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
		params := o.app.Request()
		c.change(params)
		a := must(o.app.Send(t.Context(), http.MethodGet, "/oauth/authorize?"+params.Encode(), ""))(t)
		if a.Header.Get("Location") != "" {
			t.Errorf("%s: went to %s", name, a.Header.Get("Location"))
		}
		olderRefused(t, a, c.status, c.code)
	}
}

// An authorization request of one interface is not one of the other.
func TestNoRequestOfOneInterfaceIsTakenForTheOthers(t *testing.T) {
	t.Parallel()
	o := newOlder(t, world.Full())
	modern := o.scene.app(t, "older")
	// The older request at the newer endpoint lacks PKCE, the newer scopes are none here.
	a := must(partner.Get(t.Context(), modern.BaseURL+"/oauth/authorize?"+o.app.Request().Encode(), ""))(t)
	if to := must(url.Parse(a.Header.Get("Location")))(t); to.Query().Get("error") == "" || to.Query().Has("code") {
		t.Errorf("the newer interface takes an older request: %s", to)
	}
	request := modern.NewRequest("profile:read")
	a = must(partner.Get(t.Context(), modern.URL(request), ""))(t)
	if to := must(url.Parse(a.Header.Get("Location")))(t); to.Query().Get("error") != "invalid_scope" {
		t.Errorf("the newer interface knows the older scope: %s", to)
	}
	// The pages check again, whatever the path says.
	for path, query := range map[string]url.Values{
		"/oauth/authorize": o.app.Request(), "/oauth/legacy/authorize": modern.NewRequest("profile").Params,
	} {
		back := must(o.person.Authorize(t.Context(), o.stack.AppURLs[0]+path+"?"+query.Encode(), person.Choice{}))(t)
		if back.Query().Get("error") == "" || back.Query().Has("code") {
			t.Errorf("%s: the browser went to %s", path, back)
		}
	}
}

func TestConnectionsOfBothInterfacesLiveSideBySide(t *testing.T) {
	t.Parallel()
	o := newOlder(t, world.Full())
	token := o.connect(t, person.Choice{})
	at := must(o.person.Connections(t.Context(), o.stack.AppURLs[0]))(t)
	region := must(at.One("region", o.appName(t, "older")))(t)
	must(region.One("button", person.DisconnectButton))(t)
	if len(region.All("combobox", "")) > 0 || len(region.All("switch", "")) > 0 {
		t.Error("a connection of the older interface has a CV to choose or to switch")
	}
	if !strings.Contains(region.Text(), "older profile sharing") || !strings.Contains(region.Text(), "phone number") {
		t.Errorf("the region does not say what the app sees: %s", region.Text())
	}
	app := o.scene.app(t, "older")
	tokens := connect(t, app, o.person, allScopes, person.Choice{})
	success(t, must(app.Get(t.Context(), "/v1/me/cv", tokens.Access))(t))
	at = must(o.person.Connections(t.Context(), o.stack.AppURLs[0]))(t)
	if regions := at.All("region", o.appName(t, "older")); len(regions) != 2 {
		t.Errorf("%d regions, want one for each interface", len(regions))
	}
	o.reads(t, token)
	inactive(t, must(app.Introspect(t.Context(), token))(t))
}

func TestAllowingTheOlderInterfaceAgainChangesNothingUnasked(t *testing.T) {
	t.Parallel()
	o := newOlder(t, world.Full())
	token := o.connect(t, person.Choice{Photo: true})
	visit := must(o.person.Open(t.Context(), o.app.Authorize(o.app.Request())))(t)
	if photo := must(visit.Page.One("checkbox", person.SharePhoto))(t); !photo.Checked() {
		t.Error("Allow alone would take the photo away")
	}
	second := o.connect(t, person.Choice{})
	for _, one := range []string{token, second} {
		if data := olderSuccess(t, must(o.app.Profile(t.Context(), one))(t)); data["profilePicture"] != nil {
			t.Errorf("a photo that is not shared any more is shown: %v", data)
		}
	}
	at := must(o.person.Connections(t.Context(), o.stack.AppURLs[0]))(t)
	if regions := at.All("region", o.appName(t, "older")); len(regions) != 1 {
		t.Errorf("%d regions for one consent", len(regions))
	}
}
