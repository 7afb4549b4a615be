package legacy_test

import (
	"net/http"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

// endings holds events that revoke a token of the legacy interface.
var endings = map[string]func(*testing.T, scene.Legacy, string){
	"it is revoked on one replica": func(t *testing.T, o scene.Legacy, token string) {
		if a := expect.Must(o.App.Revoke(t.Context(), token))(t); a.Status != http.StatusOK {
			t.Fatal(a)
		}
	},
	"the person disconnects": func(t *testing.T, o scene.Legacy, _ string) {
		if err := o.Person.Disconnect(t.Context(), o.Stack.AppURLs[0], o.AppName(t, "older")); err != nil {
			t.Fatal(err)
		}
	},
}

func TestNoReplicaAcceptsRevokedLegacyTokens(t *testing.T) {
	t.Parallel()
	flush := scene.Flusher(t)
	for name, end := range endings {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := scene.NewLegacy(t, world.Full())
			token := o.Connect(t, person.Choice{})
			for range 3 {
				o.Alive(t, token)
			}
			end(t, o, token)
			all := o.Everywhere()
			group, ctx := errgroup.WithContext(t.Context())
			group.SetLimit(16)
			for i := range 300 {
				group.Go(func() error {
					if i%50 == 49 {
						if err := flush(ctx); err != nil {
							return err
						}
					}
					a, err := all[i%len(all)].Profile(ctx, token)
					if err == nil && (a.Status != http.StatusUnauthorized || !strings.Contains(string(a.Body), `"UNAUTHORIZED"`)) {
						t.Errorf("request %d: %s", i, a)
					}
					return err
				})
			}
			if err := group.Wait(); err != nil {
				t.Fatal(err)
			}
			o.Dead(t, token)
		})
	}
}

func TestSuspendedPartnerIsDenied(t *testing.T) {
	t.Parallel()
	o := scene.NewLegacy(t, world.Full())
	code, token := o.Code(t, person.Choice{}), o.Connect(t, person.Choice{})
	o.Alive(t, token)
	account := o.Created.Developers["dev"].ID
	o.Vitaectl(t, "account", "suspend", account)
	for _, c := range o.Everywhere() {
		for _, a := range []partner.Response{
			expect.Must(c.Profile(t.Context(), token))(t), expect.Must(c.Revoke(t.Context(), token))(t), expect.Must(c.Exchange(t.Context(), code))(t),
		} {
			expect.LegacyRefused(t, a, http.StatusForbidden, "ACCESS_DENIED")
			if h := hourOf(t, a); h.remaining < 1 {
				t.Errorf("%d requests are left", h.remaining)
			}
		}
		a := expect.Must(c.Send(t.Context(), http.MethodGet, "/oauth/authorize?"+c.Request().Encode(), ""))(t)
		expect.LegacyRefused(t, a, http.StatusForbidden, "ACCESS_DENIED")
		if a.Header.Get("Location") != "" {
			t.Error("the authorization request is redirected")
		}
	}
	o.Vitaectl(t, "account", "resume", account)
	o.Alive(t, token)
}
