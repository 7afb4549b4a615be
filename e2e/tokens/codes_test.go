package tokens_test

import (
	"net/http"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

// A stolen token can read the durable link, so the link is revoked with the token.
func TestDetectedTheftEndsDurableLink(t *testing.T) {
	t.Parallel()
	for name, replay := range map[string]func(t *testing.T, app partner.Client, code, verifier string, first partner.Tokens) partner.Response{
		"a code is presented again": func(t *testing.T, app partner.Client, code, verifier string, _ partner.Tokens) partner.Response {
			return expect.Must(app.Exchange(t.Context(), code, verifier))(t)
		},
		"a rotated refresh token is presented again": func(t *testing.T, app partner.Client, _, _ string, first partner.Tokens) partner.Response {
			return expect.Must(app.Refresh(t.Context(), first.Refresh, ""))(t)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := scene.New(t)
			app, layla := s.Client(t, "web"), s.NewPerson(t, "layla")
			r := app.NewRequest(world.EveryScope)
			code := scene.Code(t, app, layla, r, person.Choice{})
			first := expect.Must(expect.Must(app.Exchange(t.Context(), code, r.Verifier))(t).Tokens())(t)
			stolen := expect.Must(expect.Must(app.Refresh(t.Context(), first.Refresh, ""))(t).Tokens())(t)
			c := scene.Connected{Scene: s, App: app, Person: layla, Tokens: stolen}
			link := c.Link(t)
			if a := scene.Open(t, link); a.Status != http.StatusOK {
				t.Fatalf("the link before the replay: %s", a)
			}
			expect.FlatRefused(t, replay(t, app, code, r.Verifier, first), http.StatusBadRequest, "invalid_grant")
			c.Dead(t, stolen.Access)
			for _, u := range s.Stack.BaseURLs {
				expect.Refused(t, expect.Must(partner.Get(t.Context(), u+scene.Path(t, link), ""))(t), http.StatusNotFound, "CV_LINK_NOT_FOUND")
			}
			c.Tokens = scene.Connect(t, app, layla, world.EveryScope, person.Choice{})
			if again := c.Link(t); again == link {
				t.Error("the revoked link was issued again")
			} else if a := scene.Open(t, again); a.Status != http.StatusOK {
				t.Errorf("the new link: %s", a)
			}
		})
	}
}
