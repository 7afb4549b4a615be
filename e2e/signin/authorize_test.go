package signin_test

import (
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/e2e/internal/world"
)

// authorizing is the path of an authorization request that is changed: a parameter is
// removed, and pairs of name and value are added. Both together replace a parameter.
func authorizing(r partner.Request, remove string, add ...string) string {
	q := maps.Clone(r.Params)
	q.Del(remove)
	query := q.Encode()
	for i := 0; i+1 < len(add); i += 2 {
		query += "&" + add[i] + "=" + add[i+1]
	}
	return "/oauth/authorize?" + query
}

func TestGoodAuthorizationRequestGoesToTheConsentPageIntact(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	app := s.Client(t, "web")
	r := app.NewRequest(world.EveryScope)
	r.Params.Set("state", "with space & = ü +")
	r.Params.Set("prompt", "unknown parameters are kept too")
	for _, edge := range s.Replicas(app) {
		a := scene.Open(t, edge.URL(r))
		expect.Identified(t, a)
		to := expect.Must(url.Parse(a.Header.Get("Location")))(t)
		if a.Status != http.StatusFound || !strings.HasPrefix(to.String(), suite.System.AppURLs[0]+"/oauth/authorize?") {
			t.Fatalf("%s, Location %s", a, to)
		}
		expect.Matches(t, "query", anyMap(r.Params), anyMap(to.Query()))
	}
}

func anyMap(v url.Values) map[string]any {
	out := map[string]any{}
	for k := range v {
		out[k] = expect.List(v[k])
	}
	return out
}

func TestScopesThatTheAppMayNotRequestAreRefused(t *testing.T) {
	t.Parallel()
	dev := world.OneDeveloper()
	dev.Apps[0].Scopes = []string{"profile", "email"}
	w := world.World{People: []world.Person{world.Full()}, Developers: []world.Developer{dev}}
	s := scene.Of(t, suite.System, w)
	app := s.Client(t, "web")
	q := expect.Must(url.Parse(scene.Open(t, app.URL(app.NewRequest("profile cv:read"))).Header.Get("Location")))(t).Query()
	if q.Get("error") != "invalid_scope" {
		t.Errorf("sent back with %v, want invalid_scope", q)
	}
}

func TestAppThatAsksNobodyForAnythingMayUseNoGrant(t *testing.T) {
	t.Parallel()
	dev := world.OneDeveloper()
	dev.Apps[0].Scopes = nil
	w := world.World{Developers: []world.Developer{dev}}
	s := scene.Of(t, suite.System, w)
	app := s.Client(t, "web")
	r := app.NewRequest("profile")
	q := expect.Must(url.Parse(scene.Open(t, app.URL(r)).Header.Get("Location")))(t).Query()
	if q.Get("error") != "unauthorized_client" || q.Get("state") == "" || q.Get("iss") != scene.Issuer() {
		t.Errorf("sent back with %v, want unauthorized_client", q)
	}
	expect.FlatRefused(t, expect.Must(app.Exchange(t.Context(), "svc_ac_x", r.Verifier))(t), http.StatusBadRequest, "unauthorized_client")
	expect.FlatRefused(t, expect.Must(app.Refresh(t.Context(), "svc_rt_x", ""))(t), http.StatusBadRequest, "unauthorized_client")
	app.Secret = "svc_cs_x"
	expect.FlatRefused(t, expect.Must(app.Refresh(t.Context(), "svc_rt_x", ""))(t), http.StatusUnauthorized, "invalid_client")
}

func TestLoopbackRedirectTakesAnyPortAndPrivateSchemesWork(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	layla := s.NewPerson(t, "layla")
	for _, redirect := range []string{"http://127.0.0.1:49152/done", "http://127.0.0.1/done", "com.example.acme:/done"} {
		app := s.Client(t, "mobile")
		app.Redirect = redirect
		if a := scene.Open(t, app.URL(app.NewRequest("profile"))); a.Status != http.StatusFound || !strings.HasPrefix(a.Header.Get("Location"), suite.System.AppURLs[0]) {
			t.Errorf("%s: %s", redirect, a)
		}
	}
	app := s.Client(t, "mobile")
	app.Redirect = "com.example.acme:/done"
	scene.Connect(t, app, layla, "profile", person.Choice{})
	for _, redirect := range []string{"http://127.0.0.1:49152/other", "https://127.0.0.1/done", "com.example.acme:/other", "http://localhost/done"} {
		app.Redirect = redirect
		expect.Refused(t, scene.Open(t, app.URL(app.NewRequest("profile"))), http.StatusBadRequest, "OAUTH_INVALID_REQUEST")
	}
}
