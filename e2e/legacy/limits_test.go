package legacy_test

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/e2e/internal/world"
)

// It runs a separate stack, first with the production limits, then with tokens that live one
// second.
func TestLegacyLimitsAndExpiry(t *testing.T) {
	t.Parallel()
	s := suite.Start(t, "legacy-limits")
	t.Run("a partner has a hundred requests an hour", func(t *testing.T) {
		// An app is counted by the hour. A round that runs into the next hour is repeated
		// with another app.
		for !partnerHour(t, scene.LegacyOn(t, s, world.Full())) {
			t.Log("the hour has ended: once more")
		}
	})
	t.Run("a stranger cannot use up a partner's hour", func(t *testing.T) { strangerSpendsNothing(t, scene.LegacyOn(t, s, world.Full())) })
	suite.Stop(t, s)
	s.SetEnv("VITAE_AUTH_ACCESS_LIFE=1s")
	suite.Begin(t, s)
	t.Run("an expired token is reported as expired", func(t *testing.T) { tokenExpires(t, scene.LegacyOn(t, s, world.Full())) })
}

// hour is what an answer reports of the partner's hour.
type hour struct {
	limit, remaining int
	reset            int64 // Unix time
}

func hourOf(t testing.TB, a partner.Response) hour {
	t.Helper()
	number := func(name string) int64 {
		if got := a.Header.Values(name); len(got) != 1 {
			t.Fatalf("%s is %q: %s", name, got, a)
		}
		return expect.Must(strconv.ParseInt(a.Header.Get(name), 10, 64))(t)
	}
	h := hour{int(number("X-RateLimit-Limit")), int(number("X-RateLimit-Remaining")), number("X-RateLimit-Reset")}
	if h.limit != 100 || h.reset%3600 != 0 || h.remaining < 0 {
		t.Errorf("%+v, want 100 until a full hour", h)
	}
	return h
}

// partnerHour uses up the hour at both replicas, with two tokens and with redemptions of codes.
// It returns false if the hour ends in the meantime.
func partnerHour(t *testing.T, l scene.Legacy) bool {
	t.Helper()
	first := hourOf(t, expect.Must(l.App.Exchange(t.Context(), "x"))(t))
	token, spare := l.Connect(t, person.Choice{}), l.Connect(t, person.Choice{}) // one request each
	all := l.Everywhere()
	asks := []struct {
		status int
		ask    func(context.Context, partner.Legacy) (partner.Response, error)
	}{
		{http.StatusOK, func(ctx context.Context, c partner.Legacy) (partner.Response, error) { return c.Profile(ctx, token) }},
		{http.StatusBadRequest, func(ctx context.Context, c partner.Legacy) (partner.Response, error) { return c.Exchange(ctx, "x") }},
		{http.StatusOK, func(ctx context.Context, c partner.Legacy) (partner.Response, error) { return c.Profile(ctx, spare) }},
	}
	for i := range 97 {
		one := asks[i%len(asks)]
		a := expect.Must(one.ask(t.Context(), all[i/len(asks)%len(all)]))(t)
		got := hourOf(t, a)
		if got.reset != first.reset {
			return false
		}
		if a.Status != one.status || got.remaining != 96-i {
			t.Fatalf("request %d: %+v: %s", i, got, a)
		}
	}
	code := l.Code(t, person.Choice{})
	for _, c := range all {
		for _, a := range []partner.Response{
			expect.Must(c.Profile(t.Context(), token))(t), expect.Must(c.Exchange(t.Context(), code))(t), expect.Must(c.Revoke(t.Context(), spare))(t),
		} {
			if hourOf(t, a).reset != first.reset {
				return false
			}
			hourIsOver(t, a)
		}
	}
	if a := expect.Must(l.LegacyClient(t, "oldest").Exchange(t.Context(), "x"))(t); a.Status != http.StatusBadRequest || hourOf(t, a).remaining != 99 {
		t.Errorf("another partner: %s", a)
	}
	// The REST API has separate limits.
	modern := l.Client(t, "older")
	tokens := scene.Connect(t, modern, l.Person, "profile", person.Choice{})
	expect.Success(t, expect.Must(modern.Get(t.Context(), "/v1/me", tokens.Access))(t))
	return true
}

// hourIsOver asserts a refusal that says how long to wait.
func hourIsOver(t *testing.T, a partner.Response) {
	t.Helper()
	expect.LegacyRefused(t, a, http.StatusTooManyRequests, "RATE_LIMIT_EXCEEDED")
	now := hourOf(t, a)
	wait := expect.Must(strconv.ParseInt(a.Header.Get("Retry-After"), 10, 64))(t)
	// The wait was computed when the answer was sent, moments ago.
	if apart := now.reset - time.Now().Unix() - wait; now.remaining != 0 || apart > 1 || apart < -60 {
		t.Errorf("%+v, wait %d s", now, wait)
	}
}

// strangerSpendsNothing has a stranger send the partner's client id with wrong secrets,
// until the stranger's address is slowed down.
func strangerSpendsNothing(t *testing.T, l scene.Legacy) {
	token := l.Connect(t, person.Choice{})
	before := hourOf(t, expect.Must(l.App.Profile(t.Context(), token))(t))
	stranger := l.App
	stranger.Secret = "svc_cs_wrong"
	// Many at once: a slow machine would guess more slowly than the limit recovers.
	for slowed := false; !slowed; {
		for _, a := range scene.AtOnce(t, 60, func(ctx context.Context, _ int) (partner.Response, error) { return stranger.Exchange(ctx, "x") }) {
			if a.Header.Get("X-RateLimit-Limit") != "" {
				t.Fatalf("a stranger sees the partner's hour: %s", a)
			}
			if a.Status != http.StatusTooManyRequests {
				expect.LegacyRefused(t, a, http.StatusUnauthorized, "INVALID_CLIENT")
				continue
			}
			slowed = true
			expect.LegacyRefused(t, a, http.StatusTooManyRequests, "RATE_LIMIT_EXCEEDED")
			if a.Header.Get("Retry-After") == "" {
				t.Error("no Retry-After")
			}
		}
	}
	// From the same address, with the right secret.
	after := hourOf(t, expect.Must(l.App.Exchange(t.Context(), "x"))(t))
	if after.reset == before.reset && after.remaining != before.remaining-1 {
		t.Errorf("%d left, want %d", after.remaining, before.remaining-1)
	}
}

func tokenExpires(t *testing.T, l scene.Legacy) {
	data := expect.LegacySuccess(t, expect.Must(l.App.Exchange(t.Context(), l.Code(t, person.Choice{})))(t))
	access := data["access_token"].(string)
	expect.Eventually(t, "the token expires", func(ctx context.Context) error {
		a, err := l.App.Profile(ctx, access)
		if err == nil && a.Status == http.StatusOK {
			return errors.New("it is valid")
		}
		return err
	})
	for _, c := range l.Everywhere() {
		for _, a := range []partner.Response{expect.Must(c.Profile(t.Context(), access))(t), expect.Must(c.Revoke(t.Context(), access))(t)} {
			expect.LegacyRefused(t, a, http.StatusUnauthorized, "TOKEN_EXPIRED")
		}
	}
	// A token that was also revoked is not reported as expired once the replicas have asked auth
	// again.
	l.Disconnect(t)
	expect.Eventually(t, "the replicas ask about the token again", func(ctx context.Context) error {
		for _, c := range l.Everywhere() {
			if a, err := c.Profile(ctx, access); err != nil || strings.Contains(string(a.Body), "TOKEN_EXPIRED") {
				return cmp.Or(err, errors.New("it is still reported as expired"))
			}
		}
		return nil
	})
	l.Dead(t, access)
}
