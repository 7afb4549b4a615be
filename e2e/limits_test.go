package e2e_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/stack"
	"vitae.internal/e2e/internal/world"
)

// The tests of this file run on a system of their own, with the tiers as the
// specification has them: nobody else empties its Redis.
func TestLimits(t *testing.T) {
	s := judged(must(stack.New(stack.Options{Binaries: programs, Dir: filepath.Join(scratch, "limits"), Replicas: 2}))(t))
	begin(t, s)
	t.Cleanup(func() {
		stop(t, s)
		if t.Failed() {
			t.Log("the end of the system's log:\n" + s.LogTail())
		}
	})
	for name, test := range map[string]func(*testing.T, limited){
		"all credentials and replicas share the quota":      quotaIsShared,
		"every answer says what is left":                    everyAnswerSaysWhatIsLeft,
		"a plan that changes holds at the next request":     planChangesAtOnce,
		"a minute refuses until it ends":                    minuteRefuses,
		"FLUSHALL gives no quota back":                      flushGivesNothingBack,
		"a burst of a key is the app's, at all replicas":    appBurst,
		"a burst of a token is the connection's":            connectionBurst,
		"form endpoints share the client's burst":           clientBurst,
		"whoever waits as told gets through":                waitingSucceeds,
		"a suspension and its end hold at the next request": suspendedAtOnce,
	} {
		t.Run(name, func(t *testing.T) { test(t, limitedOn(t, s)) })
	}
	// Last: they use up an address, and take Redis away.
	t.Run("links are limited by address", func(t *testing.T) { linkBurst(t, limitedOn(t, s)) })
	t.Run("without Redis the limits hold", func(t *testing.T) { limitsWithoutRedis(t, limitedOn(t, s)) })
}

// limited is an account with a person's token and two keys, of two apps.
type limited struct {
	connected
	account    string
	key, other partner.Employer
}

func limitedOn(t *testing.T, s *stack.Stack) limited {
	t.Helper()
	dev, people := world.OneDeveloper(), world.Full()
	for i, ref := range []string{"web-key", "mobile-key"} {
		dev.Apps[i].APIKeys = []world.APIKey{{Ref: ref, Name: ref, Scopes: world.CompanyScopes}}
	}
	w := world.World{People: []world.Person{people}, Developers: []world.Developer{dev}}
	here := &scene{stack: s, world: w, created: world.Import(t, s, w)}
	l := limited{connected: connected{scene: here, app: here.app(t, "web"), person: here.person(t, "layla")}}
	l.account = here.created.Developers["dev"].ID
	l.key = partner.Employer{BaseURL: s.BaseURLs[0], Key: here.created.APIKeys["web-key"].Key}
	l.other = l.key.With(here.created.APIKeys["mobile-key"].Key)
	r := l.app.NewRequest(allScopes)
	back := must(l.person.Authorize(t.Context(), l.app.URL(r), person.Choice{Photo: true}))(t)
	l.tokens = must(must(l.app.Exchange(t.Context(), back.Query().Get("code"), r.Verifier))(t).Tokens())(t)
	return l
}

func (l limited) plan(t *testing.T, perMinute, perDay int) {
	t.Helper()
	l.status(t, 0, "account", "plan", l.account, "custom", "--per-minute", strconv.Itoa(perMinute), "--per-day", strconv.Itoa(perDay))
}

// asks are the ways to spend of the account: a token, two keys, at each replica.
func (l limited) asks() []func(context.Context) (partner.Answer, error) {
	var all []func(context.Context) (partner.Answer, error)
	for _, u := range l.stack.BaseURLs {
		all = append(all,
			func(ctx context.Context) (partner.Answer, error) {
				return l.app.At(u).Get(ctx, "/v1/me", l.tokens.Access)
			},
			func(ctx context.Context) (partner.Answer, error) { return l.key.At(u).Companies(ctx, "") },
			func(ctx context.Context) (partner.Answer, error) { return l.other.At(u).Companies(ctx, "") },
		)
	}
	return all
}

// left is what an answer says is left of a budget ("ratelimit" or "quota").
func left(t testing.TB, a partner.Answer, budget string) int {
	t.Helper()
	for _, name := range []string{"limit", "remaining", "reset"} {
		if got := a.Header.Values("x-" + budget + "-" + name); len(got) != 1 {
			t.Fatalf("x-%s-%s is %q: %s", budget, name, got, a)
		}
	}
	if a.Header.Get("RateLimit") == "" || a.Header.Get("RateLimit-Policy") == "" {
		t.Errorf("no fields of the IETF's draft: %v", a.Header)
	}
	return must(strconv.Atoi(a.Header.Get("x-" + budget + "-remaining")))(t)
}

// limitedTo asserts a 429 in the envelope and gives the seconds to wait.
func limitedTo(t testing.TB, a partner.Answer, code string) int {
	t.Helper()
	body := envelope(t, a, http.StatusTooManyRequests)
	meta, _ := body["meta"].(map[string]any)
	wait := fmt.Sprint(meta["retryAfter"])
	seconds, err := strconv.Atoi(wait)
	if err != nil || seconds < 1 || len(meta) != 1 || a.Header.Get("Retry-After") != wait || a.Code() != code {
		t.Errorf("%s, Retry-After %q, want %s", a, a.Header.Get("Retry-After"), code)
	}
	return seconds
}

func quotaIsShared(t *testing.T, l limited) {
	l.plan(t, 1000, 8)
	asks := l.asks()
	for i := range 8 {
		a := must(asks[i%len(asks)](t.Context()))(t)
		if a.Status != http.StatusOK || left(t, a, "quota") != 7-i {
			t.Errorf("request %d: %d left: %s", i, left(t, a, "quota"), a)
		}
	}
	for _, ask := range asks {
		a := must(ask(t.Context()))(t)
		wait := limitedTo(t, a, "QUOTA_EXCEEDED")
		reset := must(strconv.ParseInt(a.Header.Get("x-quota-reset"), 10, 64))(t)
		// The answer was on its way for a moment.
		if apart := int(reset-time.Now().Unix()) - wait; reset%86400 != 0 || apart > 1 || apart < -60 {
			t.Errorf("wait %d s; midnight is at %d", wait, reset)
		}
	}
}

func everyAnswerSaysWhatIsLeft(t *testing.T, l limited) {
	cv := l.get(t, "/v1/me/cv")
	narrow := must(must(l.app.Refresh(t.Context(), l.tokens.Refresh, "profile"))(t).Tokens())(t)
	quota := left(t, cv, "quota")
	for _, c := range []struct {
		status int
		answer func() partner.Answer
	}{
		{304, func() partner.Answer { return l.get(t, "/v1/me/cv", "If-None-Match", cv.Header.Get("ETag")) }},
		{200, func() partner.Answer { return l.get(t, "/v1/me/cv.pdf") }},
		{403, func() partner.Answer { return must(l.app.Get(t.Context(), "/v1/me/cv", narrow.Access))(t) }},
		{404, func() partner.Answer { return must(l.key.Job(t.Context(), "job_none"))(t) }},
		{403, func() partner.Answer { return must(l.key.Company(t.Context(), "com_none"))(t) }},
		{400, func() partner.Answer { return must(l.key.Companies(t.Context(), "page=0"))(t) }},
		{400, func() partner.Answer { return must(l.key.CreateCompany(t.Context(), "{"))(t) }},
	} {
		a := c.answer()
		quota--
		if got := left(t, a, "quota"); a.Status != c.status || got != quota {
			t.Errorf("%d left, want %d and %d: %s", got, c.status, quota, a)
		}
	}
	for _, a := range []partner.Answer{
		must(l.app.Get(t.Context(), "/v1/me", "svc_at_none"))(t), must(l.app.Get(t.Context(), "/v1/none", l.tokens.Access))(t), open(t, l.link(t)),
	} {
		if a.Header.Get("x-quota-remaining") != "" || a.Header.Get("RateLimit") != "" {
			t.Errorf("says what is left of nobody's budget: %s", a)
		}
	}
	if got := left(t, l.get(t, "/v1/me"), "quota"); got != quota-2 { // the link was read from the CV
		t.Errorf("%d left, want %d", got, quota-2)
	}
}

func planChangesAtOnce(t *testing.T, l limited) {
	for i := range 3 {
		l.plan(t, 1000, 100+i)
		for _, ask := range l.asks()[:4] {
			if a := must(ask(t.Context()))(t); a.Header.Get("x-quota-limit") != strconv.Itoa(100+i) {
				t.Errorf("the limit is %s, want %d", a.Header.Get("x-quota-limit"), 100+i)
			}
		}
	}
	l.plan(t, 1000, 1)
	for _, ask := range l.asks() {
		limitedTo(t, must(ask(t.Context()))(t), "QUOTA_EXCEEDED")
	}
}

func minuteRefuses(t *testing.T, l limited) {
	l.plan(t, 3, 1000)
	asks := l.asks()
	admitted := map[string]int{} // by the end of their minute
	for i := 0; ; i++ {
		a := must(asks[i%len(asks)](t.Context()))(t)
		now := a.Header.Get("x-ratelimit-reset")
		if a.Status == http.StatusOK {
			if admitted[now]++; left(t, a, "ratelimit") != 3-admitted[now] {
				t.Errorf("%d left after %d in the minute that ends at %s", left(t, a, "ratelimit"), admitted[now], now)
			}
			continue
		}
		wait := limitedTo(t, a, "RATE_LIMIT_EXCEEDED")
		if reset := must(strconv.ParseInt(now, 10, 64))(t); wait > 60 || reset%60 != 0 || int64(wait) > reset-time.Now().Unix()+2 {
			t.Errorf("wait %d s until %d", wait, reset)
		}
		if admitted[now] != 3 {
			t.Errorf("%d of 3 admitted", admitted[now])
		}
		return
	}
}

func flushGivesNothingBack(t *testing.T, l limited) {
	address := must(l.stack.Setting("gateway", "VITAE_REDIS_URL"))(t)
	client := redis.NewClient(must(redis.ParseURL(address))(t))
	defer client.Close()
	l.plan(t, 1000, 14)
	asks := l.asks()
	for i := range 12 {
		must(asks[i%len(asks)](t.Context()))(t)
	}
	if err := client.FlushAll(t.Context()).Err(); err != nil {
		t.Fatal(err)
	}
	// Each replica has seen at least the tenth; the books may lag by seconds.
	if got := left(t, must(asks[0](t.Context()))(t), "quota"); got > 4 {
		t.Errorf("%d left after FLUSHALL", got)
	}
}

// rush sends n requests at once, in turns, and gives what was not a 429 and what
// was, and how long it took.
func rush(t *testing.T, n int, asks ...func(context.Context) (partner.Answer, error)) (passed, refused []partner.Answer, took time.Duration) {
	t.Helper()
	var mu sync.Mutex
	var wg sync.WaitGroup
	begun := time.Now()
	for i := range n {
		wg.Go(func() {
			a, err := asks[i%len(asks)](t.Context())
			mu.Lock()
			defer mu.Unlock()
			switch {
			case err != nil:
				t.Error(err)
			case a.Status == http.StatusTooManyRequests:
				refused = append(refused, a)
			default:
				passed = append(passed, a)
			}
		})
	}
	wg.Wait()
	return passed, refused, time.Since(begun)
}

// wantBurst asserts that what passed is the burst and what was refilled meanwhile.
func wantBurst(t *testing.T, passed []partner.Answer, took time.Duration, burst int, per time.Duration) {
	t.Helper()
	if most := burst + int(float64(burst)*took.Seconds()/per.Seconds()) + 1; len(passed) < burst || len(passed) > most {
		t.Errorf("%d passed in %v, want %d to %d", len(passed), took, burst, most)
	}
}

func appBurst(t *testing.T, l limited) {
	asks := l.asks()
	passed, over, took := rush(t, 120, asks[1], asks[4]) // one key, two replicas
	wantBurst(t, passed, took, 20, time.Second)
	for _, a := range over {
		limitedTo(t, a, "RATE_LIMIT_EXCEEDED")
	}
	if a := must(asks[2](t.Context()))(t); a.Status != http.StatusOK {
		t.Errorf("the key of another app: %s", a)
	}
}

func connectionBurst(t *testing.T, l limited) {
	asks := l.asks()
	before := left(t, must(asks[1](t.Context()))(t), "quota")
	passed, _, took := rush(t, 120, asks[0], asks[3])
	wantBurst(t, passed, took, 20, time.Second)
	if got := left(t, must(asks[1](t.Context()))(t), "quota"); got != before-len(passed)-1 {
		t.Errorf("%d left of the quota, want %d: who was refused spent of it", got, before-len(passed)-1)
	}
}

func clientBurst(t *testing.T, l limited) {
	var asks []func(context.Context) (partner.Answer, error)
	for _, c := range l.replicas(l.app) {
		asks = append(asks,
			func(ctx context.Context) (partner.Answer, error) { return c.Introspect(ctx, l.tokens.Access) },
			func(ctx context.Context) (partner.Answer, error) { return c.Revoke(ctx, "x") })
	}
	passed, over, took := rush(t, 60, asks...)
	// The code was redeemed before.
	if most := 20 + int(2*(took.Seconds()+5)); len(passed) < 19 || len(passed) > most {
		t.Errorf("%d passed in %v", len(passed), took)
	}
	for _, a := range over {
		if bytes.Contains(a.Body, []byte(`"meta"`)) {
			limitedTo(t, a, "RATE_LIMIT_EXCEEDED")
		} else {
			flatRefused(t, a, http.StatusTooManyRequests, "temporarily_unavailable")
		}
	}
	stranger := partner.Client{BaseURL: l.app.BaseURL, ID: l.created.Apps["mobile"].ClientID, Method: partner.Public}
	if a := must(stranger.Introspect(t.Context(), "x"))(t); a.Status != http.StatusOK {
		t.Errorf("another client: %s", a)
	}
}

func waitingSucceeds(t *testing.T, l limited) {
	asks := l.asks()
	_, over, _ := rush(t, 80, asks[0], asks[3])
	for range 3 {
		if len(over) == 0 {
			t.Fatal("nobody was refused")
		}
		// Each was told its own wait; the last answer's client is alone from here on.
		longest := 0
		for _, a := range over {
			longest = max(longest, limitedTo(t, a, "RATE_LIMIT_EXCEEDED"))
		}
		<-time.After(time.Duration(longest) * time.Second)
		if a := must(asks[0](t.Context()))(t); a.Status != http.StatusOK {
			t.Errorf("after %d s: %s", longest, a)
		}
		_, over, _ = rush(t, 80, asks[0], asks[3])
	}
}

func suspendedAtOnce(t *testing.T, l limited) {
	asks := l.asks()
	before := left(t, must(asks[0](t.Context()))(t), "quota")
	for range 2 {
		l.status(t, 0, "account", "suspend", l.account)
		for _, ask := range asks {
			a := must(ask(t.Context()))(t)
			refused(t, a, http.StatusForbidden, "DEVELOPER_ACCOUNT_SUSPENDED")
			if got := left(t, a, "quota"); got != before {
				t.Errorf("%d left, want %d: a suspended account is not metered", got, before)
			}
		}
		l.status(t, 0, "account", "resume", l.account)
		if a := must(asks[3](t.Context()))(t); a.Status != http.StatusOK {
			t.Errorf("resumed: %s", a)
		}
		before--
	}
}

func linkBurst(t *testing.T, l limited) {
	link := mustPath(t, l.link(t))
	at := func(u, path string) func(context.Context) (partner.Answer, error) {
		return func(ctx context.Context) (partner.Answer, error) { return partner.Get(ctx, u+path, "") }
	}
	first, second := l.stack.BaseURLs[0], l.stack.BaseURLs[1]
	passed, over, took := rush(t, 200, at(first, "/v1/cv-links/made-up"), at(second, "/v1/cv-links/made-up"), at(first, link))
	wantBurst(t, passed, took, 60, time.Second)
	for _, a := range over {
		limitedTo(t, a, "RATE_LIMIT_EXCEEDED")
	}
}

func limitsWithoutRedis(t *testing.T, l limited) {
	asks := l.asks()
	l.plan(t, 1000, 12)
	for range 2 {
		must(asks[0](t.Context()))(t)
	}
	outages := func() int {
		log := must(os.ReadFile(filepath.Join(l.stack.Dir(), "vitae.log")))(t)
		return strings.Count(string(log), "redis does not answer: auth checks")
	}
	before := outages() // what an earlier run has left
	servers := l.stack.Parts("redis-server")
	if len(servers) != 1 {
		t.Fatalf("%d Redis servers", len(servers))
	}
	signal(t, servers[0], syscall.SIGSTOP)
	t.Cleanup(func() { _ = syscall.Kill(servers[0].PID, syscall.SIGCONT) })
	// Each replica alone: neither admits more than the quota in all.
	for i, replica := range []func(context.Context) (partner.Answer, error){asks[0], asks[3]} {
		quota := 12
		for n := 0; ; n++ {
			a := must(replica(t.Context()))(t)
			if a.Status == http.StatusTooManyRequests {
				limitedTo(t, a, "QUOTA_EXCEEDED")
				break
			}
			now := left(t, a, "quota")
			if a.Status != http.StatusOK || now >= quota || n > 12 {
				t.Fatalf("replica %d: %d left after %d: %s", i, now, quota, a)
			}
			quota = now
		}
	}
	signal(t, servers[0], syscall.SIGCONT)
	l.plan(t, 1000, 100_000)
	await(t, "both replicas count together again", func(ctx context.Context) error {
		var last int
		for i, ask := range []func(context.Context) (partner.Answer, error){asks[0], asks[3], asks[0]} {
			a, err := ask(ctx)
			if err != nil {
				return err
			}
			if now := left(t, a, "quota"); i > 0 && now != last-1 {
				return fmt.Errorf("%d left, then %d", last, now)
			} else {
				last = now
			}
		}
		return nil
	})
	if got := outages() - before; got != len(l.stack.BaseURLs) {
		t.Errorf("%d lines about one outage, want one for each replica", got)
	}
}
