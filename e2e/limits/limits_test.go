package limits_test

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/e2e/internal/world"
)

func TestLimits(t *testing.T) {
	for name, test := range map[string]func(*testing.T, limited){
		"all credentials and replicas share the quota":    quotaIsShared,
		"every response states the remaining budget":      everyResponseStatesBudget,
		"a new plan takes effect immediately":             planChangesAtOnce,
		"the minute limit applies until the minute ends":  minuteRejects,
		"FLUSHALL does not restore the quota":             flushRestoresNoQuota,
		"keys of an app share a burst on all replicas":    appBurst,
		"tokens of a connection share a burst":            connectionBurst,
		"a client has one burst on all replicas":          clientBurst,
		"a request after Retry-After succeeds":            waitingSucceeds,
		"suspending and resuming take effect immediately": suspendedAtOnce,
	} {
		t.Run(name, func(t *testing.T) { test(t, newLimited(t)) })
	}
	t.Run("wrong secrets do not use a client's limit", func(t *testing.T) { wrongSecrets(t, newLimited(t)) })
	// These two run last: one uses up the limit of an IP address, the other suspends Redis.
	t.Run("links are limited per IP address", func(t *testing.T) { linkBurst(t, newLimited(t)) })
	t.Run("limits apply without Redis", func(t *testing.T) { limitsWithoutRedis(t, newLimited(t)) })
}

// limited is an account with a person's token and two API keys, which belong to different apps.
type limited struct {
	scene.Connected
	account    string
	key, other partner.Employer
}

func newLimited(t *testing.T) limited {
	t.Helper()
	dev, people := world.OneDeveloper(), world.Full()
	for i, ref := range []string{"web-key", "mobile-key"} {
		dev.Apps[i].APIKeys = []world.APIKey{{Ref: ref, Name: ref, Scopes: world.CompanyScopes}}
	}
	s := scene.Of(t, suite.System, world.World{People: []world.Person{people}, Developers: []world.Developer{dev}})
	l := limited{Connected: scene.Connected{Scene: s, App: s.Client(t, "web"), Person: s.NewPerson(t, "layla")}}
	l.account = s.Created.Developers["dev"].ID
	l.key = partner.Employer{BaseURL: s.Stack.BaseURLs[0], Key: s.Created.APIKeys["web-key"].Key}
	l.other = l.key.With(s.Created.APIKeys["mobile-key"].Key)
	l.Tokens = scene.Connect(t, l.App, l.Person, world.EveryScope, person.Choice{Photo: true})
	return l
}

// plan sets a custom plan for the account.
func (l limited) plan(t *testing.T, perMinute, perDay int) {
	t.Helper()
	l.Exits(t, 0, "account", "plan", l.account, "custom", "--per-minute", strconv.Itoa(perMinute), "--per-day", strconv.Itoa(perDay))
}

// requests returns requests that count against the account: with the token, the key, and the key of the
// other app, first to the first replica and then to the second.
func (l limited) requests() []func(context.Context) (partner.Response, error) {
	var all []func(context.Context) (partner.Response, error)
	for _, u := range l.Stack.BaseURLs {
		all = append(all,
			func(ctx context.Context) (partner.Response, error) {
				return l.App.At(u).Get(ctx, "/v1/me", l.Tokens.Access)
			},
			func(ctx context.Context) (partner.Response, error) { return l.key.At(u).Companies(ctx, "") },
			func(ctx context.Context) (partner.Response, error) { return l.other.At(u).Companies(ctx, "") },
		)
	}
	return all
}

// remaining returns the remaining budget ("ratelimit" or "quota") that a response states.
func remaining(t testing.TB, a partner.Response, budget string) int {
	t.Helper()
	for _, name := range []string{"limit", "remaining", "reset"} {
		if got := a.Header.Values("x-" + budget + "-" + name); len(got) != 1 {
			t.Fatalf("x-%s-%s is %q: %s", budget, name, got, a)
		}
	}
	if a.Header.Get("RateLimit") == "" || a.Header.Get("RateLimit-Policy") == "" {
		t.Errorf("no RateLimit fields of the IETF draft: %v", a.Header)
	}
	return expect.Must(strconv.Atoi(a.Header.Get("x-" + budget + "-remaining")))(t)
}

// limitedTo asserts a 429 response with an envelope, and returns the seconds to wait.
func limitedTo(t testing.TB, a partner.Response, code string) int {
	t.Helper()
	body := expect.Envelope(t, a, http.StatusTooManyRequests)
	meta, _ := body["meta"].(map[string]any)
	wait := fmt.Sprint(meta["retryAfter"])
	seconds, err := strconv.Atoi(wait)
	if err != nil || seconds < 1 || len(meta) != 1 || a.Header.Get("Retry-After") != wait || a.Code() != code {
		t.Errorf("%s, Retry-After %q, want %s", a, a.Header.Get("Retry-After"), code)
	}
	return seconds
}
