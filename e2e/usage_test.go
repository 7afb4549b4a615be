package e2e_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"vitae.internal/e2e/internal/partner"
)

// logged is an entry of the request log, as vitaectl prints it.
type logged struct {
	At, RequestID, AppID   string
	APIKeyID, ConnectionID *string
	Method, Route          string
	Status                 int
	LatencyMS              float64
	Bytes                  int64
	Metered                bool
}

// used is a row of the usage, as vitaectl prints it.
type used struct {
	Day, AppID                string
	APIKeyID                  *string
	Requests, Metered, Failed int64
}

// printed runs a command that prints a list.
func printed[T any](ctx context.Context, s *scene, args ...string) ([]T, error) {
	r, err := s.stack.Vitaectl(ctx, append(args, "-o", "json")...)
	if err != nil || r.Code != 0 {
		return nil, fmt.Errorf("exit status %d: %s: %w", r.Code, r.Stderr, err)
	}
	var items []T
	return items, json.Unmarshal([]byte(r.Stdout), &items)
}

// awaitLog waits until the log of an account holds all of the requests, and gives
// it, newest first.
func (s *scene) awaitLog(t testing.TB, account string, ids []string, flags ...string) (entries []logged) {
	t.Helper()
	await(t, "the requests in the log", func(ctx context.Context) (err error) {
		entries, err = printed[logged](ctx, s, append([]string{"requests", account, "--limit", "100000"}, flags...)...)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if !slices.ContainsFunc(entries, func(e logged) bool { return e.RequestID == id }) {
				return fmt.Errorf("%s is not among the %d that are logged", id, len(entries))
			}
		}
		return nil
	})
	return entries
}

func TestRequestsAreLoggedAndCountedByDayAppAndKeyAtEveryReplica(t *testing.T) {
	t.Parallel()
	c := everything(t)
	account, web, mobile := c.created.Developers["dev"].ID, c.created.Apps["web"].ID, c.created.Apps["mobile"].ID
	first := c.vitaectl(t, "key", "create", "--app", web, "--scopes", "companies:read,jobs:read")
	second := c.vitaectl(t, "key", "create", "--app", mobile, "--scopes", "companies:read")
	connection := at(success(t, c.get(t, "/v1/me")), "connection", "id").(string)
	want, usage := map[string]string{}, map[string]used{}
	answered := func(a partner.Answer, appID, by, method, route string) {
		t.Helper()
		want[a.Header.Get("X-Request-Id")] = fmt.Sprint(appID, " ", by, " ", method, " ", route, " ", a.Status, " ", len(a.Body), " true")
		row := appID + " " + by
		if by == connection {
			row = appID + " "
		}
		u := usage[row]
		u.Requests++
		u.Metered++
		if a.Status >= 400 {
			u.Failed++
		}
		usage[row] = u
	}
	for _, base := range c.stack.BaseURLs {
		one := partner.Employer{BaseURL: base, Key: first["key"].(string)}
		other, me := one.With(second["key"].(string)), c.app.At(base)
		ctx := t.Context()
		answered(must(one.Companies(ctx, "page=1"))(t), web, first["id"].(string), "GET", "/v1/companies")
		answered(must(one.Get(ctx, "/v1/jobs/job_none", ""))(t), web, first["id"].(string), "GET", "/v1/jobs/{jobId}")
		answered(must(one.Call(ctx, http.MethodPost, "/v1/companies", "{}"))(t), web, first["id"].(string), "POST", "/v1/companies")
		answered(must(other.Companies(ctx, ""))(t), mobile, second["id"].(string), "GET", "/v1/companies")
		answered(must(me.Get(ctx, "/v1/me", c.tokens.Access))(t), web, connection, "GET", "/v1/me")
		must(one.With("svc_sk_unknown").Companies(ctx, ""))(t) // nobody's
	}
	got := map[string]string{}
	for _, e := range c.awaitLog(t, account, slices.Collect(maps.Keys(want))) {
		by := e.APIKeyID
		if by == nil {
			by = e.ConnectionID
		}
		got[e.RequestID] = fmt.Sprint(e.AppID, " ", *by, " ", e.Method, " ", e.Route, " ", e.Status, " ", e.Bytes, " ", e.Metered)
		if at, err := time.Parse(time.RFC3339, e.At); err != nil || time.Since(at) > time.Hour || e.LatencyMS <= 0 {
			t.Errorf("%+v: %v", e, err)
		}
	}
	delete(got, oldest(got)) // the look for the connection's id, which is the first
	if !maps.Equal(got, want) {
		t.Errorf("logged\n%v\nwant\n%v", got, want)
	}
	ofMobile := c.awaitLog(t, account, nil, "--app", mobile)
	if len(ofMobile) != 2 || ofMobile[0].AppID != mobile || ofMobile[0].At < ofMobile[1].At {
		t.Errorf("of one app: %+v", ofMobile)
	}
	sums := map[string]used{}
	for _, u := range must(printed[used](t.Context(), c.scene, "usage", account))(t) {
		row := u.AppID + " "
		if u.APIKeyID != nil {
			row += *u.APIKeyID
		}
		s := sums[row]
		sums[row] = used{Requests: s.Requests + u.Requests, Metered: s.Metered + u.Metered, Failed: s.Failed + u.Failed}
	}
	tokens := usage[web+" "]
	usage[web+" "] = used{Requests: tokens.Requests + 1, Metered: tokens.Metered + 1, Failed: tokens.Failed}
	if !maps.Equal(sums, usage) {
		t.Errorf("used %v, want %v", sums, usage)
	}
	c.status(t, 1, "usage", "dev_unknown")
	c.status(t, 1, "requests", "dev_unknown")
}

// oldest is the least request id, which is the first that was made.
func oldest(byID map[string]string) string { return slices.Min(slices.Collect(maps.Keys(byID))) }

// The tests below this line have a system of their own, like those of
// lifecycle_test.go.

// sent is a request that was answered.
type sent struct {
	id string
	at time.Time
}

// busyReading reads at both replicas until enough says so, and gives what was
// answered.
func (p platform) busyReading(t *testing.T, enough func(answered []sent) bool) (answered []sent) {
	t.Helper()
	edges := p.edges(p.api)
	for i := 0; !enough(answered); i++ {
		a := must(edges[i%len(edges)].Companies(t.Context(), ""))(t)
		if a.Status != http.StatusOK {
			t.Fatal(a)
		}
		answered = append(answered, sent{id: a.Header.Get("X-Request-Id"), at: time.Now()})
	}
	return answered
}

func TestKillingTheEdgeLosesNoRequestOlderThanFiveSecondsAndStoppingItNone(t *testing.T) {
	const mayBeLost = 5 * time.Second
	s := start(t, "kill-usage")
	p := platformOn(t, s)
	account := p.created.Developers["platform"].ID
	begun := time.Now()
	answered := p.busyReading(t, func([]sent) bool { return time.Since(begun) > mayBeLost+2*time.Second })
	killed := time.Now()
	kill(t, s, "gateway")
	begin(t, s)
	var kept []string
	for _, a := range answered {
		if killed.Sub(a.at) > mayBeLost {
			kept = append(kept, a.id)
		}
	}
	if len(kept) < 100 {
		t.Fatalf("only %d requests are old enough to say anything", len(kept))
	}
	p.countedAsLogged(t, account, p.awaitLog(t, account, kept))

	var last []string
	for _, a := range p.busyReading(t, func(answered []sent) bool { return len(answered) == 200 }) {
		last = append(last, a.id)
	}
	stop(t, s)
	begin(t, s)
	p.countedAsLogged(t, account, p.awaitLog(t, account, last))
}

// countedAsLogged checks that no request was logged twice, and that usage and log
// say the same.
func (p platform) countedAsLogged(t *testing.T, account string, entries []logged) {
	t.Helper()
	ids := map[string]bool{}
	for _, e := range entries {
		if ids[e.RequestID] {
			t.Errorf("%s is logged twice", e.RequestID)
		}
		ids[e.RequestID] = true
	}
	var requests, metered int64
	for _, u := range must(printed[used](t.Context(), p.scene, "usage", account))(t) {
		requests, metered = requests+u.Requests, metered+u.Metered
	}
	if requests != int64(len(entries)) || metered != requests {
		t.Errorf("%d requests are counted, %d of them metered, and %d logged", requests, metered, len(entries))
	}
}

func TestUsageWaitsWhileAuthIsFrozen(t *testing.T) {
	s := start(t, "usage-waits")
	p := platformOn(t, s)
	p.busyReading(t, func(a []sent) bool { return len(a) == 10 }) // leaves a session record
	auth := s.Parts("auth")[0]
	signal(t, auth, syscall.SIGSTOP)
	thaw := sync.OnceFunc(func() { signal(t, auth, syscall.SIGCONT) })
	t.Cleanup(thaw)
	var ids []string
	for _, a := range p.busyReading(t, func(a []sent) bool { return len(a) == 50 }) {
		ids = append(ids, a.id)
	}
	thaw()
	account := p.created.Developers["platform"].ID
	p.countedAsLogged(t, account, p.awaitLog(t, account, ids))
}
