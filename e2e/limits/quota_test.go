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
	asks := l.asks()
	for i := range 8 {
		a := expect.Must(asks[i%len(asks)](t.Context()))(t)
		if a.Status != http.StatusOK || left(t, a, "quota") != 7-i {
			t.Errorf("request %d: %d left: %s", i, left(t, a, "quota"), a)
		}
	}
	for _, ask := range asks {
		a := expect.Must(ask(t.Context()))(t)
		wait := limitedTo(t, a, "QUOTA_EXCEEDED")
		reset := expect.Must(strconv.ParseInt(a.Header.Get("x-quota-reset"), 10, 64))(t)
		// The wait ends at midnight. It was counted some moments ago, when the answer left.
		if apart := int(reset-time.Now().Unix()) - wait; reset%86400 != 0 || apart > 1 || apart < -60 {
			t.Errorf("wait %d s; midnight is at %d", wait, reset)
		}
	}
}

func everyAnswerSaysWhatIsLeft(t *testing.T, l limited) {
	cv := l.Get(t, "/v1/me/cv")
	narrow := expect.Must(expect.Must(l.App.Refresh(t.Context(), l.Tokens.Refresh, "profile"))(t).Tokens())(t)
	quota := left(t, cv, "quota")
	for _, c := range []struct {
		status int
		answer func() partner.Response
	}{
		{304, func() partner.Response { return l.Get(t, "/v1/me/cv", "If-None-Match", cv.Header.Get("ETag")) }},
		{200, func() partner.Response { return l.Get(t, "/v1/me/cv.pdf") }},
		{403, func() partner.Response { return expect.Must(l.App.Get(t.Context(), "/v1/me/cv", narrow.Access))(t) }},
		{404, func() partner.Response { return expect.Must(l.key.Job(t.Context(), "job_none"))(t) }},
		{403, func() partner.Response { return expect.Must(l.key.Company(t.Context(), "com_none"))(t) }},
		{400, func() partner.Response { return expect.Must(l.key.Companies(t.Context(), "page=0"))(t) }},
		{400, func() partner.Response { return expect.Must(l.key.CreateCompany(t.Context(), "{"))(t) }},
	} {
		a := c.answer()
		quota--
		if got := left(t, a, "quota"); a.Status != c.status || got != quota {
			t.Errorf("%d left, want %d and %d: %s", got, c.status, quota, a)
		}
	}
	for _, a := range []partner.Response{
		expect.Must(l.App.Get(t.Context(), "/v1/me", "svc_at_none"))(t), expect.Must(l.App.Get(t.Context(), "/v1/none", l.Tokens.Access))(t), scene.Open(t, l.Link(t)),
	} {
		if a.Header.Get("x-quota-remaining") != "" || a.Header.Get("RateLimit") != "" {
			t.Errorf("reports a budget although none is spent: %s", a)
		}
	}
	if got := left(t, l.Get(t, "/v1/me"), "quota"); got != quota-2 { // l.Link read the CV
		t.Errorf("%d left, want %d", got, quota-2)
	}
}

func planChangesAtOnce(t *testing.T, l limited) {
	for i := range 3 {
		l.plan(t, 1000, 100+i)
		for _, ask := range l.asks()[:4] {
			if a := expect.Must(ask(t.Context()))(t); a.Header.Get("x-quota-limit") != strconv.Itoa(100+i) {
				t.Errorf("the limit is %s, want %d", a.Header.Get("x-quota-limit"), 100+i)
			}
		}
	}
	l.plan(t, 1000, 1)
	for _, ask := range l.asks() {
		limitedTo(t, expect.Must(ask(t.Context()))(t), "QUOTA_EXCEEDED")
	}
}

func minuteRefuses(t *testing.T, l limited) {
	l.plan(t, 3, 1000)
	asks := l.asks()
	admitted := map[string]int{} // by the end of their minute
	for i := 0; ; i++ {
		asked := time.Now()
		a := expect.Must(asks[i%len(asks)](t.Context()))(t)
		now := a.Header.Get("x-ratelimit-reset")
		if a.Status == http.StatusOK {
			if admitted[now]++; left(t, a, "ratelimit") != 3-admitted[now] {
				t.Errorf("%d left after %d in the minute that ends at %s", left(t, a, "ratelimit"), admitted[now], now)
			}
			continue
		}
		wait := limitedTo(t, a, "RATE_LIMIT_EXCEEDED")
		if reset := expect.Must(strconv.ParseInt(now, 10, 64))(t); wait > 60 || reset%60 != 0 || int64(wait) > reset-asked.Unix()+1 {
			t.Errorf("wait %d s until %d", wait, reset)
		}
		if admitted[now] != 3 {
			t.Errorf("%d of 3 admitted", admitted[now])
		}
		return
	}
}

func flushGivesNothingBack(t *testing.T, l limited) {
	l.plan(t, 1000, 14)
	asks := l.asks()
	for i := range 12 {
		expect.Must(asks[i%len(asks)](t.Context()))(t)
	}
	if err := scene.Flusher(t)(t.Context()); err != nil {
		t.Fatal(err)
	}
	// Auth's books may lag by seconds, but each replica remembers the figures of its last
	// answer, which was the ninth or a later one.
	if got := left(t, expect.Must(asks[0](t.Context()))(t), "quota"); got > 4 {
		t.Errorf("%d left after FLUSHALL", got)
	}
}

func suspendedAtOnce(t *testing.T, l limited) {
	asks := l.asks()
	before := left(t, expect.Must(asks[0](t.Context()))(t), "quota")
	for range 2 {
		l.Exits(t, 0, "account", "suspend", l.account)
		for _, ask := range asks {
			a := expect.Must(ask(t.Context()))(t)
			expect.Refused(t, a, http.StatusForbidden, "DEVELOPER_ACCOUNT_SUSPENDED")
			if got := left(t, a, "quota"); got != before {
				t.Errorf("%d left, want %d: a suspended account is not metered", got, before)
			}
		}
		l.Exits(t, 0, "account", "resume", l.account)
		if a := expect.Must(asks[3](t.Context()))(t); a.Status != http.StatusOK {
			t.Errorf("resumed: %s", a)
		}
		before--
	}
}
