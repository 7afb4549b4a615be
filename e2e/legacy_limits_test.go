package e2e_test

import (
	"context"
	"errors"
	"net/http"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/stack"
	"vitae.internal/e2e/internal/world"
)

// These run on a system of their own: with the limits as the specification has
// them, then with tokens that live a moment.
func TestOlderInterfaceOnASystemOfItsOwn(t *testing.T) {
	s := must(stack.New(stack.Options{Binaries: programs, Dir: filepath.Join(scratch, "older"), Replicas: 2}))(t)
	begin(t, s)
	t.Cleanup(func() {
		stop(t, s)
		if t.Failed() {
			t.Log("the end of the system's log:\n" + s.LogTail())
		}
	})
	t.Run("a partner has a hundred requests an hour", func(t *testing.T) { partnerHour(t, olderOn(t, s, world.Full())) })
	t.Run("a stranger cannot spend a partner's hour", func(t *testing.T) { strangerSpendsNothing(t, olderOn(t, s, world.Full())) })
	stop(t, s)
	s.SetEnv("VITAE_AUTH_ACCESS_LIFE=1s")
	begin(t, s)
	t.Run("a token that has expired is told so", func(t *testing.T) { tokenExpires(t, olderOn(t, s, world.Full())) })
}

// hour is what an answer says of the partner's hour.
type hour struct {
	limit, remaining int
	reset            int64
}

func hourOf(t testing.TB, a partner.Answer) hour {
	t.Helper()
	number := func(name string) int64 {
		if got := a.Header.Values(name); len(got) != 1 {
			t.Fatalf("%s is %q: %s", name, got, a)
		}
		return must(strconv.ParseInt(a.Header.Get(name), 10, 64))(t)
	}
	h := hour{int(number("X-RateLimit-Limit")), int(number("X-RateLimit-Remaining")), number("X-RateLimit-Reset")}
	if h.limit != 100 || h.reset%3600 != 0 || h.remaining < 0 {
		t.Errorf("%+v, want 100 until a full hour", h)
	}
	return h
}

// partnerHour spends the hour with tokens of two people, code requests and
// revocations at both replicas.
func partnerHour(t *testing.T, o older) {
	// Not across the end of an hour.
	if left := time.Until(time.Now().Truncate(time.Hour).Add(time.Hour)); left < time.Minute {
		<-time.After(left)
	}
	token, spare := o.connect(t, person.Choice{}), o.connect(t, person.Choice{})
	all := o.everywhere()
	asks := []struct {
		status int
		ask    func(context.Context, partner.Legacy) (partner.Answer, error)
	}{
		{http.StatusOK, func(ctx context.Context, c partner.Legacy) (partner.Answer, error) { return c.Profile(ctx, token) }},
		{http.StatusBadRequest, func(ctx context.Context, c partner.Legacy) (partner.Answer, error) { return c.Exchange(ctx, "x") }},
		{http.StatusOK, func(ctx context.Context, c partner.Legacy) (partner.Answer, error) { return c.Profile(ctx, spare) }},
	}
	h := hourOf(t, must(o.app.Exchange(t.Context(), "x"))(t))
	if h.remaining != 97 {
		t.Errorf("%d left after three requests", h.remaining)
	}
	for i := range h.remaining {
		one := asks[i%len(asks)]
		a := must(one.ask(t.Context(), all[i/len(asks)%len(all)]))(t)
		if got := hourOf(t, a); a.Status != one.status || got.remaining != 96-i || got.reset != h.reset {
			t.Fatalf("request %d: %+v: %s", i, got, a)
		}
	}
	code := o.code(t, person.Choice{})
	for _, c := range all {
		for _, a := range []partner.Answer{
			must(c.Profile(t.Context(), token))(t), must(c.Exchange(t.Context(), code))(t), must(c.Revoke(t.Context(), spare))(t),
		} {
			olderRefused(t, a, http.StatusTooManyRequests, "RATE_LIMIT_EXCEEDED")
			now := hourOf(t, a)
			wait := must(strconv.ParseInt(a.Header.Get("Retry-After"), 10, 64))(t)
			if apart := now.reset - time.Now().Unix() - wait; now.remaining != 0 || apart > 1 || apart < -60 {
				t.Errorf("%+v, wait %d s", now, wait)
			}
		}
	}
	if a := must(o.client(t, "oldest").Exchange(t.Context(), "x"))(t); a.Status != http.StatusBadRequest || hourOf(t, a).remaining != 99 {
		t.Errorf("another partner: %s", a)
	}
	// The rest of the service knows nothing of it.
	modern := o.scene.app(t, "older")
	r := modern.NewRequest("profile")
	back := must(o.person.Authorize(t.Context(), modern.URL(r), person.Choice{}))(t)
	tokens := must(must(modern.Exchange(t.Context(), back.Query().Get("code"), r.Verifier))(t).Tokens())(t)
	success(t, must(modern.Get(t.Context(), "/v1/me", tokens.Access))(t))
}

// strangerSpendsNothing has a stranger name the partner's client until the
// stranger's address is slowed down.
func strangerSpendsNothing(t *testing.T, o older) {
	token := o.connect(t, person.Choice{})
	before := hourOf(t, must(o.app.Profile(t.Context(), token))(t))
	stranger := o.app
	stranger.Secret = "svc_cs_wrong"
	slowed := false
	for range 60 {
		a := must(stranger.Exchange(t.Context(), "x"))(t)
		if a.Header.Get("X-RateLimit-Limit") != "" {
			t.Fatalf("a stranger is told of the partner's hour: %s", a)
		}
		if slowed = a.Status == http.StatusTooManyRequests; slowed {
			olderRefused(t, a, http.StatusTooManyRequests, "RATE_LIMIT_EXCEEDED")
			if a.Header.Get("Retry-After") == "" {
				t.Error("no Retry-After")
			}
			break
		}
		olderRefused(t, a, http.StatusUnauthorized, "INVALID_CLIENT")
	}
	if !slowed {
		t.Error("guessing is not slowed down")
	}
	// From the same address, with the right secret.
	after := hourOf(t, must(o.app.Exchange(t.Context(), "x"))(t))
	if after.reset == before.reset && after.remaining != before.remaining-1 {
		t.Errorf("%d left, want %d", after.remaining, before.remaining-1)
	}
}

func tokenExpires(t *testing.T, o older) {
	data := olderSuccess(t, must(o.app.Exchange(t.Context(), o.code(t, person.Choice{})))(t))
	access := data["access_token"].(string)
	await(t, "the token expires", func(ctx context.Context) error {
		a, err := o.app.Profile(ctx, access)
		if err == nil && a.Status == http.StatusOK {
			return errors.New("it lives")
		}
		return err
	})
	for _, c := range o.everywhere() {
		for _, a := range []partner.Answer{must(c.Profile(t.Context(), access))(t), must(c.Revoke(t.Context(), access))(t)} {
			olderRefused(t, a, http.StatusUnauthorized, "TOKEN_EXPIRED")
		}
	}
	// An end for another reason is not told as age.
	if err := o.person.Disconnect(t.Context(), o.stack.AppURLs[0], o.appName(t, "older")); err != nil {
		t.Fatal(err)
	}
	o.dead(t, access)
}
