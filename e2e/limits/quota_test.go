package limits_test

import (
	"net/http"
	"strconv"
	"testing"
	"time"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/scene"
)

func quotaIsShared(t *testing.T, l limited) {
	l.plan(t, 1000, 8)
	requests := l.requests()
	for i := range 8 {
		a := expect.Must(requests[i%len(requests)](t.Context()))(t)
		if a.Status != http.StatusOK || remaining(t, a, "quota") != 7-i {
			t.Errorf("request %d: %d remaining: %s", i, remaining(t, a, "quota"), a)
		}
	}
	for _, request := range requests {
		a := expect.Must(request(t.Context()))(t)
		wait := limitedTo(t, a, "QUOTA_EXCEEDED")
		reset := expect.Must(strconv.ParseInt(a.Header.Get("x-quota-reset"), 10, 64))(t)
		// The wait ends at midnight. It was calculated when the response was sent, a moment ago.
		if apart := int(reset-time.Now().Unix()) - wait; reset%86400 != 0 || apart > 1 || apart < -60 {
			t.Errorf("wait %d s; midnight is at %d", wait, reset)
		}
	}
}

func everyResponseStatesBudget(t *testing.T, l limited) {
	cv := l.Get(t, "/v1/me/cv")
	narrow := expect.Must(expect.Must(l.App.Refresh(t.Context(), l.Tokens.Refresh, "profile"))(t).Tokens())(t)
	quota := remaining(t, cv, "quota")
	for _, c := range []struct {
		status   int
		response func() partner.Response
	}{
		{304, func() partner.Response { return l.Get(t, "/v1/me/cv", "If-None-Match", cv.Header.Get("ETag")) }},
		{200, func() partner.Response { return l.Get(t, "/v1/me/cv.pdf") }},
		{403, func() partner.Response { return expect.Must(l.App.Get(t.Context(), "/v1/me/cv", narrow.Access))(t) }},
		{404, func() partner.Response { return expect.Must(l.key.Job(t.Context(), "job_none"))(t) }},
		{403, func() partner.Response { return expect.Must(l.key.Company(t.Context(), "com_none"))(t) }},
		{400, func() partner.Response { return expect.Must(l.key.Companies(t.Context(), "page=0"))(t) }},
		{400, func() partner.Response { return expect.Must(l.key.CreateCompany(t.Context(), "{"))(t) }},
	} {
		a := c.response()
		quota--
		if got := remaining(t, a, "quota"); a.Status != c.status || got != quota {
			t.Errorf("%d remaining, want %d and %d: %s", got, c.status, quota, a)
		}
	}
	for _, a := range []partner.Response{
		expect.Must(l.App.Get(t.Context(), "/v1/me", "svc_at_none"))(t), expect.Must(l.App.Get(t.Context(), "/v1/none", l.Tokens.Access))(t), scene.Open(t, l.Link(t)),
	} {
		if a.Header.Get("x-quota-remaining") != "" || a.Header.Get("RateLimit") != "" {
			t.Errorf("the response states a budget although the request is not counted: %s", a)
		}
	}
	if got := remaining(t, l.Get(t, "/v1/me"), "quota"); got != quota-2 { // l.Link read the CV
		t.Errorf("%d remaining, want %d", got, quota-2)
	}
}

func planChangesAtOnce(t *testing.T, l limited) {
	for i := range 3 {
		l.plan(t, 1000, 100+i)
		for _, request := range l.requests()[:4] {
			if a := expect.Must(request(t.Context()))(t); a.Header.Get("x-quota-limit") != strconv.Itoa(100+i) {
				t.Errorf("the limit is %s, want %d", a.Header.Get("x-quota-limit"), 100+i)
			}
		}
	}
	l.plan(t, 1000, 1)
	for _, request := range l.requests() {
		limitedTo(t, expect.Must(request(t.Context()))(t), "QUOTA_EXCEEDED")
	}
}

func minuteRejects(t *testing.T, l limited) {
	l.plan(t, 3, 1000)
	requests := l.requests()
	admitted := map[string]int{} // by the end of the minute
	for i := 0; ; i++ {
		sent := time.Now()
		a := expect.Must(requests[i%len(requests)](t.Context()))(t)
		now := a.Header.Get("x-ratelimit-reset")
		if a.Status == http.StatusOK {
			if admitted[now]++; remaining(t, a, "ratelimit") != 3-admitted[now] {
				t.Errorf("%d remaining after %d in the minute that ends at %s", remaining(t, a, "ratelimit"), admitted[now], now)
			}
			continue
		}
		wait := limitedTo(t, a, "RATE_LIMIT_EXCEEDED")
		if reset := expect.Must(strconv.ParseInt(now, 10, 64))(t); wait > 60 || reset%60 != 0 || int64(wait) > reset-sent.Unix()+1 {
			t.Errorf("wait %d s until %d", wait, reset)
		}
		if admitted[now] != 3 {
			t.Errorf("%d of 3 admitted", admitted[now])
		}
		return
	}
}

func flushRestoresNoQuota(t *testing.T, l limited) {
	l.plan(t, 1000, 14)
	requests := l.requests()
	for i := range 12 {
		expect.Must(requests[i%len(requests)](t.Context()))(t)
	}
	if err := scene.Flusher(t)(t.Context()); err != nil {
		t.Fatal(err)
	}
	// Auth's usage data may be seconds old, but each replica remembers the figures of its last
	// response, which was for the ninth request or a later one.
	if got := remaining(t, expect.Must(requests[0](t.Context()))(t), "quota"); got > 4 {
		t.Errorf("%d remaining after FLUSHALL", got)
	}
}

func suspendedAtOnce(t *testing.T, l limited) {
	requests := l.requests()
	before := remaining(t, expect.Must(requests[0](t.Context()))(t), "quota")
	for range 2 {
		l.Exits(t, 0, "account", "suspend", l.account)
		for _, request := range requests {
			a := expect.Must(request(t.Context()))(t)
			expect.Refused(t, a, http.StatusForbidden, "DEVELOPER_ACCOUNT_SUSPENDED")
			if got := remaining(t, a, "quota"); got != before {
				t.Errorf("%d remaining, want %d: a suspended account is not metered", got, before)
			}
		}
		l.Exits(t, 0, "account", "resume", l.account)
		if a := expect.Must(requests[3](t.Context()))(t); a.Status != http.StatusOK {
			t.Errorf("resumed: %s", a)
		}
		before--
	}
}
