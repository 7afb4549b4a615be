package legacy_test

import (
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/sync/errgroup"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

func TestOnlyClientGetsLegacyTokens(t *testing.T) {
	t.Parallel()
	o := scene.NewLegacy(t, world.Full())
	code := o.Code(t, person.Choice{})
	newer, oldest := o.LegacyClient(t, "newer"), o.LegacyClient(t, "oldest")
	without := o.App
	without.Secret = "svc_cs_wrong"
	swapped := o.App
	swapped.Secret = oldest.Secret
	unknown := o.App
	unknown.ID = "svc_ci_none"
	for _, c := range []struct {
		client partner.Legacy
		status int
		code   string
	}{
		{without, 401, "INVALID_CLIENT"}, {swapped, 401, "INVALID_CLIENT"}, {unknown, 401, "INVALID_CLIENT"},
		{newer, 401, "INVALID_CLIENT"},
		{oldest, 400, "INVALID_CODE"}, // the code stays valid for its own client
	} {
		a := expect.Must(c.client.Exchange(t.Context(), code))(t)
		expect.LegacyRefused(t, a, c.status, c.code)
		if strings.HasPrefix(a.Header.Get("WWW-Authenticate"), "Basic") {
			t.Errorf("a browser would show a password prompt: %v", a.Header)
		}
	}
	changed := code[:len(code)-1] + "0"
	if changed == code {
		changed = code[:len(code)-1] + "1"
	}
	for _, invalid := range []string{"x", "svc_ac_none", changed} {
		expect.LegacyRefused(t, expect.Must(o.App.Exchange(t.Context(), invalid))(t), http.StatusBadRequest, "INVALID_CODE")
	}
	o.Alive(t, o.Token(t, expect.Must(o.App.Exchange(t.Context(), code))(t)))
}

func TestLegacyCodeReplayRevokesToken(t *testing.T) {
	t.Parallel()
	o := scene.NewLegacy(t, world.Full())
	code := o.Code(t, person.Choice{})
	token := o.Token(t, expect.Must(o.App.Exchange(t.Context(), code))(t))
	o.Alive(t, token)
	expect.LegacyRefused(t, expect.Must(o.LegacyClient(t, "oldest").Exchange(t.Context(), code))(t), http.StatusBadRequest, "INVALID_CODE")
	o.Alive(t, token) // a replay by a different client revokes nothing
	expect.LegacyRefused(t, expect.Must(o.Everywhere()[1].Exchange(t.Context(), code))(t), http.StatusBadRequest, "INVALID_CODE")
	o.Dead(t, token)
}

func TestOneLegacyRedemptionSucceeds(t *testing.T) {
	t.Parallel()
	o := scene.NewLegacy(t, world.Full())
	code := o.Code(t, person.Choice{})
	var succeeded atomic.Int32
	all := o.Everywhere()
	group, ctx := errgroup.WithContext(t.Context())
	for i := range 20 {
		group.Go(func() error {
			a, err := all[i%len(all)].Exchange(ctx, code)
			if err == nil && a.Status == http.StatusOK {
				succeeded.Add(1)
			}
			return err
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	if succeeded.Load() != 1 {
		t.Errorf("%d succeeded", succeeded.Load())
	}
}
