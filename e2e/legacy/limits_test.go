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

// The test starts a separate stack, first with the production limits, then with access tokens that
// expire after one second.
func TestLegacyTokensAreLimitedAndExpire(t *testing.T) {
	t.Parallel()
	s := suite.Start(t, "legacy-limits")
	t.Run("a partner has a hundred requests an hour", func(t *testing.T) {
		// Requests are counted per app and clock hour. A round that extends into the next hour is
		// repeated with a different app.
		for !partnerHour(t, scene.LegacyOn(t, s, world.Full())) {
			t.Log("the hour has ended: repeating")
		}
	})
	t.Run("a stranger cannot use up a partner's hour", func(t *testing.T) { strangerUsesNoLimit(t, scene.LegacyOn(t, s, world.Full())) })
	suite.Stop(t, s)
	s.SetEnv("VITAE_AUTH_ACCESS_LIFE=1s")
	suite.Begin(t, s)
	t.Run("an expired token is reported as expired", func(t *testing.T) { tokenExpires(t, scene.LegacyOn(t, s, world.Full())) })
}

// hour holds a response's rate limit headers.
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

// partnerHour uses up the hourly limit on both replicas, with two tokens and with code redemptions. It
// returns false if the hour ends in the meantime.
func partnerHour(t *testing.T, l scene.Legacy) bool {
	t.Helper()
	first := hourOf(t, expect.Must(l.App.Exchange(t.Context(), "x"))(t))
	token, spare := l.Connect(t, person.Choice{}), l.Connect(t, person.Choice{}) // one request each
	all := l.Everywhere()
	requests := []struct {
		status int
		send   func(context.Context, partner.Legacy) (partner.Response, error)
	}{
		{http.StatusOK, func(ctx context.Context, c partner.Legacy) (partner.Response, error) { return c.Profile(ctx, token) }},
		{http.StatusBadRequest, func(ctx context.Context, c partner.Legacy) (partner.Response, error) { return c.Exchange(ctx, "x") }},
		{http.StatusOK, func(ctx context.Context, c partner.Legacy) (partner.Response, error) { return c.Profile(ctx, spare) }},
	}
	for i := range 97 {
		one := requests[i%len(requests)]
		a := expect.Must(one.send(t.Context(), all[i/len(requests)%len(all)]))(t)
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
		t.Errorf("a different partner: %s", a)
	}
	// The REST API has separate limits.
	modern := l.Client(t, "older")
	tokens := scene.Connect(t, modern, l.Person, "profile", person.Choice{})
	expect.Success(t, expect.Must(modern.Get(t.Context(), "/v1/me", tokens.Access))(t))
	return true
}

// hourIsOver asserts a rejection that states how long to wait.
func hourIsOver(t *testing.T, a partner.Response) {
	t.Helper()
	expect.LegacyRefused(t, a, http.StatusTooManyRequests, "RATE_LIMIT_EXCEEDED")
	now := hourOf(t, a)
	wait := expect.Must(strconv.ParseInt(a.Header.Get("Retry-After"), 10, 64))(t)
	// The wait was calculated when the response was sent, a moment ago.
	if apart := now.reset - time.Now().Unix() - wait; now.remaining != 0 || apart > 1 || apart < -60 {
		t.Errorf("%+v, wait %d s", now, wait)
	}
}

// strangerUsesNoLimit sends the partner's client id with wrong secrets until the stranger's IP address
// is rate-limited.
func strangerUsesNoLimit(t *testing.T, l scene.Legacy) {
	token := l.Connect(t, person.Choice{})
	before := hourOf(t, expect.Must(l.App.Profile(t.Context(), token))(t))
	stranger := l.App
	stranger.Secret = "svc_cs_wrong"
	// The requests are concurrent: on a slow machine, sequential requests might be slower than the
	// refill of the limit.
	for slowed := false; !slowed; {
		for _, a := range scene.AtOnce(t, 60, func(ctx context.Context, _ int) (partner.Response, error) { return stranger.Exchange(ctx, "x") }) {
			if a.Header.Get("X-RateLimit-Limit") != "" {
				t.Fatalf("a stranger sees the partner's limit: %s", a)
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
	// The partner uses the same IP address, with the right secret.
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
			return errors.New("the token is still valid")
		}
		return err
	})
	for _, c := range l.Everywhere() {
		for _, a := range []partner.Response{expect.Must(c.Profile(t.Context(), access))(t), expect.Must(c.Revoke(t.Context(), access))(t)} {
			expect.LegacyRefused(t, a, http.StatusUnauthorized, "TOKEN_EXPIRED")
		}
	}
	// A token that has also been revoked is no longer reported as expired once the replicas have called
	// auth again.
	l.Disconnect(t)
	expect.Eventually(t, "the replicas call auth again", func(ctx context.Context) error {
		for _, c := range l.Everywhere() {
			if a, err := c.Profile(ctx, access); err != nil || strings.Contains(string(a.Body), "TOKEN_EXPIRED") {
				return cmp.Or(err, errors.New("the token is still reported as expired"))
			}
		}
		return nil
	})
	l.Dead(t, access)
}
