package limits_test

import (
	"bytes"
	"context"
	"net/http"
	"sync"
	"testing"
	"time"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/scene"
)

// rush sends n concurrent requests, using the functions in turn. It returns the responses other than
// 429, the responses with 429, and the duration.
func rush(t *testing.T, n int, requests ...func(context.Context) (partner.Response, error)) (passed, refused []partner.Response, took time.Duration) {
	t.Helper()
	var mu sync.Mutex
	var wg sync.WaitGroup
	begun := time.Now()
	for i := range n {
		wg.Go(func() {
			a, err := requests[i%len(requests)](t.Context())
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

// overrun sends concurrent requests until some are rejected, and returns those responses. It retries
// because a slow machine may send so slowly that the bucket is refilled before every request.
func overrun(t *testing.T, requests ...func(context.Context) (partner.Response, error)) (refused []partner.Response) {
	t.Helper()
	for n := 80; len(refused) == 0; n = min(2*n, 1000) {
		_, refused, _ = rush(t, n, requests...)
	}
	return refused
}

// wantBurst asserts that the number of passed requests is at least the size of the bucket, and at most
// that plus the refill in the meantime.
func wantBurst(t *testing.T, passed []partner.Response, took time.Duration, burst int, per time.Duration) {
	t.Helper()
	if most := burst + int(float64(burst)*took.Seconds()/per.Seconds()) + 1; len(passed) < burst || len(passed) > most {
		t.Errorf("%d passed in %v, want %d to %d", len(passed), took, burst, most)
	}
}

func appBurst(t *testing.T, l limited) {
	requests := l.requests()
	passed, over, took := rush(t, 120, requests[1], requests[4]) // one key on two replicas
	wantBurst(t, passed, took, 20, time.Second)
	for _, a := range over {
		limitedTo(t, a, "RATE_LIMIT_EXCEEDED")
	}
	if a := expect.Must(requests[2](t.Context()))(t); a.Status != http.StatusOK {
		t.Errorf("the key of a different app: %s", a)
	}
}

func connectionBurst(t *testing.T, l limited) {
	requests := l.requests()
	before := remaining(t, expect.Must(requests[1](t.Context()))(t), "quota")
	passed, _, took := rush(t, 120, requests[0], requests[3])
	wantBurst(t, passed, took, 20, time.Second)
	if got := remaining(t, expect.Must(requests[1](t.Context()))(t), "quota"); got != before-len(passed)-1 {
		t.Errorf("%d remaining of the quota, want %d: rejected requests were counted", got, before-len(passed)-1)
	}
}

func clientBurst(t *testing.T, l limited) {
	var introspect, revoke []func(context.Context) (partner.Response, error)
	for _, c := range l.Replicas(l.App) {
		introspect = append(introspect, func(ctx context.Context) (partner.Response, error) { return c.Introspect(ctx, l.Tokens.Access) })
		revoke = append(revoke, func(ctx context.Context) (partner.Response, error) { return c.Revoke(ctx, "x") })
	}
	for what, requests := range map[string][]func(context.Context) (partner.Response, error){"introspect": introspect, "revoke": revoke} {
		passed, over, took := rush(t, 60, requests...)
		// The bucket has 20 tokens and is refilled with two per second. Redeeming the code used one.
		if most := 20 + int(2*(took.Seconds()+5)); len(passed) < 19 || len(passed) > most {
			t.Errorf("%s: %d passed in %v", what, len(passed), took)
		}
		for _, a := range over {
			if bytes.Contains(a.Body, []byte(`"meta"`)) {
				limitedTo(t, a, "RATE_LIMIT_EXCEEDED")
			} else {
				expect.FlatRefused(t, a, http.StatusTooManyRequests, "temporarily_unavailable")
			}
		}
	}
	stranger := partner.Client{BaseURL: l.App.BaseURL, ID: l.Created.Apps["mobile"].ClientID, Method: partner.Public}
	if a := expect.Must(stranger.Introspect(t.Context(), "x"))(t); a.Status != http.StatusOK {
		t.Errorf("a different client: %s", a)
	}
}

func waitingSucceeds(t *testing.T, l limited) {
	requests := l.requests()
	for range 3 {
		// Each rejected request has its own wait. After the longest wait, the next request is the only
		// one.
		longest := 0
		for _, a := range overrun(t, requests[0], requests[3]) {
			longest = max(longest, limitedTo(t, a, "RATE_LIMIT_EXCEEDED"))
		}
		<-time.After(time.Duration(longest) * time.Second)
		if a := expect.Must(requests[0](t.Context()))(t); a.Status != http.StatusOK {
			t.Errorf("after %d s: %s", longest, a)
		}
	}
}

func linkBurst(t *testing.T, l limited) {
	link := scene.Path(t, l.Link(t))
	at := func(u, path string) func(context.Context) (partner.Response, error) {
		return func(ctx context.Context) (partner.Response, error) { return partner.Get(ctx, u+path, "") }
	}
	first, second := l.Stack.BaseURLs[0], l.Stack.BaseURLs[1]
	passed, over, took := rush(t, 200, at(first, "/v1/cv-links/made-up"), at(second, "/v1/cv-links/made-up"), at(first, link))
	wantBurst(t, passed, took, 60, time.Second)
	for _, a := range over {
		limitedTo(t, a, "RATE_LIMIT_EXCEEDED")
	}
}
