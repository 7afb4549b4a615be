package operators_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"testing"
	"time"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/scene"
)

// logged is an entry of the request log as printed by vitaectl.
type logged struct {
	At, RequestID, AppID   string
	APIKeyID, ConnectionID *string
	Method, Route          string
	Status                 int
	LatencyMS              float64
	Bytes                  int64
	Metered                bool
}

// used is a row of the usage as printed by vitaectl.
type used struct {
	Day, AppID                string
	APIKeyID                  *string
	Requests, Metered, Failed int64
}

// printed runs a command that prints a list.
func printed[T any](ctx context.Context, s *scene.Scene, args ...string) ([]T, error) {
	r, err := s.Stack.Vitaectl(ctx, append(args, "-o", "json")...)
	if err != nil || r.Code != 0 {
		return nil, fmt.Errorf("exit status %d: %s: %w", r.Code, r.Stderr, err)
	}
	var items []T
	return items, json.Unmarshal([]byte(r.Stdout), &items)
}

// awaitLog waits until the request log of an account contains all request ids, and returns the log,
// newest first.
func awaitLog(t testing.TB, s *scene.Scene, account string, ids []string, flags ...string) (entries []logged) {
	t.Helper()
	expect.Eventually(t, "the requests are in the log", func(ctx context.Context) (err error) {
		entries, err = printed[logged](ctx, s, append([]string{"requests", account, "--limit", "100000"}, flags...)...)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if !slices.ContainsFunc(entries, func(e logged) bool { return e.RequestID == id }) {
				return fmt.Errorf("%s is not among the %d log entries", id, len(entries))
			}
		}
		return nil
	})
	return entries
}

// account holds the expected log and usage of an account.
type account struct {
	// entries holds the log by request id, in the text form of entry.
	entries map[string]string
	// rows holds the usage by app and API key.
	rows map[string]used
}

// row returns the key of the usage row of an app and an API key. Requests with tokens have no API key.
func row(appID, keyID string) string { return appID + " " + keyID }

// count adds requests to a row.
func (a account) count(row string, requests, metered, failed int64) {
	u := a.rows[row]
	a.rows[row] = used{Requests: u.Requests + requests, Metered: u.Metered + metered, Failed: u.Failed + failed}
}

// add adds a metered request. Its caller is an API key or, with an empty keyID, a connection.
func (a account) add(x partner.Response, appID, caller, keyID, method, route string) {
	a.entries[x.Header.Get("X-Request-Id")] = fmt.Sprint(appID, " ", caller, " ", method, " ", route, " ", x.Status, " ", len(x.Body), " true")
	var failed int64
	if x.Status >= http.StatusBadRequest {
		failed = 1
	}
	a.count(row(appID, keyID), 1, 1, failed)
}

// entry returns a log entry as text, without values that differ between runs.
func entry(e logged) string {
	caller := e.APIKeyID
	if caller == nil {
		caller = e.ConnectionID
	}
	return fmt.Sprint(e.AppID, " ", *caller, " ", e.Method, " ", e.Route, " ", e.Status, " ", e.Bytes, " ", e.Metered)
}

func TestRequestsAreLoggedAndCounted(t *testing.T) {
	t.Parallel()
	c := scene.Everything(t)
	id, web, mobile := c.Created.Developers["dev"].ID, c.Created.Apps["web"].ID, c.Created.Apps["mobile"].ID
	first := c.Vitaectl(t, "key", "create", "--app", web, "--scopes", "companies:read,jobs:read")
	second := c.Vitaectl(t, "key", "create", "--app", mobile, "--scopes", "companies:read")
	firstID, secondID := first["id"].(string), second["id"].(string)
	want := account{map[string]string{}, map[string]used{}}
	me := c.Get(t, "/v1/me")
	connection := expect.At(expect.Success(t, me), "connection", "id").(string)
	want.add(me, web, connection, "", "GET", "/v1/me")
	for _, base := range c.Stack.BaseURLs {
		ctx := t.Context()
		one := partner.Employer{BaseURL: base, Key: first["key"].(string)}
		other := one.With(second["key"].(string))
		want.add(expect.Must(one.Companies(ctx, "page=1"))(t), web, firstID, firstID, "GET", "/v1/companies")
		want.add(expect.Must(one.Get(ctx, "/v1/jobs/job_none", ""))(t), web, firstID, firstID, "GET", "/v1/jobs/{jobId}")
		want.add(expect.Must(one.Call(ctx, http.MethodPost, "/v1/companies", "{}"))(t), web, firstID, firstID, "POST", "/v1/companies")
		want.add(expect.Must(other.Companies(ctx, ""))(t), mobile, secondID, secondID, "GET", "/v1/companies")
		want.add(expect.Must(c.App.At(base).Get(ctx, "/v1/me", c.Tokens.Access))(t), web, connection, "", "GET", "/v1/me")
		expect.Must(one.With("svc_sk_unknown").Companies(ctx, ""))(t) // belongs to no account, so it is not logged
	}
	got := account{map[string]string{}, map[string]used{}}
	tokens := 0
	for _, e := range awaitLog(t, c.Scene, id, slices.Collect(maps.Keys(want.entries))) {
		if e.Route == "/oauth/token" { // the app got its token before the requests of this test
			tokens++
			want.count(row(web, ""), 1, 0, 0)
			if e.AppID != web || e.APIKeyID != nil || e.ConnectionID != nil || e.Status != http.StatusOK || e.Metered {
				t.Errorf("the token request is logged as %+v", e)
			}
			continue
		}
		got.entries[e.RequestID] = entry(e)
		if at, err := time.Parse(time.RFC3339, e.At); err != nil || time.Since(at) > time.Hour || e.LatencyMS <= 0 {
			t.Errorf("the log entry %+v has a wrong time or latency: %v", e, err)
		}
	}
	if !maps.Equal(got.entries, want.entries) {
		t.Errorf("the log is\n%v\nwant\n%v", got.entries, want.entries)
	}
	if tokens != 1 {
		t.Errorf("%d token exchanges are logged, want 1", tokens)
	}
	ofMobile := awaitLog(t, c.Scene, id, nil, "--app", mobile)
	if len(ofMobile) != 2 || ofMobile[0].AppID != mobile || ofMobile[0].At < ofMobile[1].At {
		t.Errorf("the log of one app: %+v", ofMobile)
	}
	for _, u := range expect.Must(printed[used](t.Context(), c.Scene, "usage", id))(t) {
		key := ""
		if u.APIKeyID != nil {
			key = *u.APIKeyID
		}
		got.count(row(u.AppID, key), u.Requests, u.Metered, u.Failed)
	}
	if !maps.Equal(got.rows, want.rows) {
		t.Errorf("the usage is %v, want %v", got.rows, want.rows)
	}
}
