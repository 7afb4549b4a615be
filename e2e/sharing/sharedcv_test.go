package sharing_test

import (
	"net/http"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

func TestSharedCVFieldsMatchScopes(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	app, layla := s.Client(t, "web"), s.NewPerson(t, "layla")
	combinations(func(scope string, photo bool) {
		c := scene.Connected{Scene: s, App: app, Person: layla}
		c.Tokens = scene.Connect(t, app, layla, world.EveryScope, person.Choice{Drop: without(scope), Photo: photo})
		if !scene.Granted(scope, "cv:read") {
			for _, path := range []string{"/v1/me/cv", "/v1/me/cv.pdf"} {
				a := c.Get(t, path)
				expect.Refused(t, a, http.StatusForbidden, "OAUTH_INSUFFICIENT_SCOPE")
				if h := a.Header.Get("WWW-Authenticate"); !strings.Contains(h, `error="insufficient_scope"`) {
					t.Errorf("WWW-Authenticate %q (RFC 6750 §3.1)", h)
				}
			}
			return
		}
		expect.Matches(t, scope, scene.EnglishCV(s.World.People[0], scope, photo), expect.Success(t, c.Get(t, "/v1/me/cv")))
	})
}

func TestChosenCVIsShared(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	c := scene.Connected{Scene: s, App: s.Client(t, "web")}
	c.Tokens = scene.Connect(t, c.App, s.NewPerson(t, "layla"), world.EveryScope, person.Choice{CV: "السيرة الذاتية"})
	cv := expect.Success(t, c.Get(t, "/v1/me/cv"))
	want := map[string]any{"id": s.Created.CVs["arabic"].ID, "title": "السيرة الذاتية", "isMainCv": false, "language": "ar"}
	for k, v := range want {
		expect.Matches(t, k, v, cv[k])
	}
	me := expect.Success(t, c.Get(t, "/v1/me"))
	expect.Matches(t, "connection.cv", map[string]any{"id": cv["id"], "title": cv["title"], "updatedAt": cv["updatedAt"]}, expect.At(me, "connection", "cv"))
}

func TestDeletedCVIsNotReplaced(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	c := scene.Connected{Scene: s, App: s.Client(t, "web")}
	c.Tokens = scene.Connect(t, c.App, s.NewPerson(t, "layla"), world.EveryScope, person.Choice{CV: "السيرة الذاتية"})
	link := c.Link(t)
	scene.DeleteCV(t, c.Stack, s.Created.CVs["arabic"].ID)
	for _, path := range []string{"/v1/me/cv", "/v1/me/cv.pdf"} {
		expect.Refused(t, c.Get(t, path), http.StatusNotFound, "CV_NOT_FOUND")
	}
	if cv := expect.At(expect.Success(t, c.Get(t, "/v1/me")), "connection", "cv"); cv != nil {
		t.Errorf("connection.cv %v, want null", cv)
	}
	if a := expect.Must(partner.Get(t.Context(), link, ""))(t); a.Status != http.StatusNotFound {
		t.Errorf("the link of a deleted CV: %s", a)
	}
}
