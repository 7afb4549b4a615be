package console_test

import (
	"context"
	"crypto/rand"
	"encoding/csv"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/stored"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/e2e/internal/world"
)

// canaries maps parts of requests to the secrets sent there, which must not be stored.
type canaries map[string]string

// new creates a canary.
func (c canaries) new(where string) string {
	c[where] = "canary" + rand.Text()
	return c[where]
}

// in returns the parts of requests whose canaries text contains.
func (c canaries) in(text string) (found []string) {
	for where, canary := range c {
		if strings.Contains(text, canary) {
			found = append(found, where)
		}
	}
	return found
}

// canaryAccount is an account whose owner reads the requests of its apps.
type canaryAccount struct {
	scene.Connected
	canaries
	account string
	key     partner.Employer
	// seen is a part of a user agent that is not secret, so the search must find it.
	seen string
	// sent holds the ids of requests that must be logged.
	sent []string
}

func newCanaryAccount(t *testing.T) *canaryAccount {
	t.Helper()
	dev := world.OneDeveloper()
	dev.Apps[0].APIKeys = []world.APIKey{{Ref: "web-key", Name: "ats", Scopes: world.CompanyScopes}}
	dev.Members = []world.Member{{Person: "layla", Role: "owner"}}
	s := scene.Of(t, suite.System, world.World{People: []world.Person{world.Full()}, Developers: []world.Developer{dev}})
	c := &canaryAccount{Connected: scene.Connected{Scene: s, App: s.Client(t, "web"), Person: s.NewPerson(t, "layla")}, canaries: canaries{}, seen: "seen" + rand.Text()}
	c.account = s.Created.Developers["dev"].ID
	c.key = partner.Employer{BaseURL: s.Stack.BaseURLs[0], Key: s.Created.APIKeys["web-key"].Key}
	c.Tokens = scene.Connect(t, c.App, c.Person, world.EveryScope, person.Choice{Photo: true})
	return c
}

// send sends a request with the key, and asserts the status of the response. The request must be
// logged.
func (c *canaryAccount) send(t *testing.T, want int, method, path string, body any, headers ...string) {
	t.Helper()
	a := expect.Must(c.key.Call(t.Context(), method, path, body, headers...))(t)
	if a.Status != want {
		t.Errorf("%s %s: %s, want %d", method, path, a, want)
	}
	c.sent = append(c.sent, a.Header.Get("x-request-id"))
}

// release sends a canary in every part of a request that could contain a secret.
func (c *canaryAccount) release(t *testing.T) {
	t.Helper()
	c.send(t, http.StatusOK, http.MethodGet, "/v1/companies?q="+c.new("query")+"&access_token="+c.new("query of a credential"), nil)
	c.send(t, http.StatusBadRequest, http.MethodGet, "/v1/companies?page="+c.new("invalid value in a query"), nil)
	c.send(t, http.StatusNotFound, http.MethodGet, "/v1/jobs/"+c.new("path"), nil)
	c.send(t, http.StatusNotFound, http.MethodGet, "/v1/jobs/svc_sk_"+c.new("credential in a path"), nil)
	c.send(t, http.StatusForbidden, http.MethodGet, "/v1/companies/"+c.new("other path")+"/jobs?page=1", nil)
	c.send(t, http.StatusBadRequest, http.MethodPost, "/v1/companies", `{"name": 1, "description": "`+c.new("body")+`"}`)
	c.send(t, http.StatusBadRequest, http.MethodPost, "/v1/companies", c.new("body that is not JSON"))
	c.send(t, http.StatusOK, http.MethodGet, "/v1/companies", nil, "User-Agent", c.seen+" svc_sk_"+c.new("key in a user agent")+" svc_at_"+c.new("token in a user agent"))
	c.send(t, http.StatusOK, http.MethodGet, "/v1/companies", nil, "X-Secret", c.new("header"), "Cookie", "a="+c.new("cookie"), "Referer", "https://ats.example/?"+c.new("referer"),
		"If-None-Match", `"`+c.new("entity tag")+`"`, "X-Request-Id", c.new("request id"))
	c.send(t, http.StatusBadRequest, http.MethodPost, "/v1/companies", "{}", "Idempotency-Key", c.new("idempotency key"))
	c.send(t, http.StatusBadRequest, http.MethodPost, "/v1/companies", `{"svc_at_`+c.new("name of a field")+`": "\ud800"}`)

	link := c.Link(t)
	c.canaries["token of a link"] = link[strings.LastIndexByte(link, '/')+1:]
	opened := scene.Open(t, link+"?"+c.new("query of a link"))
	c.sent = append(c.sent, opened.Header.Get("x-request-id"))
	failed := expect.Must(c.App.Refresh(t.Context(), "svc_rt_"+c.new("refresh token"), c.new("scope")))(t)
	c.sent = append(c.sent, failed.Header.Get("x-request-id"))
	c.canaries["API key"], c.canaries["access token"] = c.key.Key, c.Tokens.Access
	c.canaries["valid refresh token"], c.canaries["client secret"] = c.Tokens.Refresh, c.App.Secret
}

func TestRequestContentsAreNotStored(t *testing.T) {
	t.Parallel()
	c := newCanaryAccount(t)
	c.release(t)
	console := c.Stack.ConsoleURLs[0]
	owner := c.NewPerson(t, "layla")
	expect.Must(owner.EnterConsole(t.Context(), console))(t)
	read := func(ctx context.Context, path string) (string, error) {
		status, text, err := owner.Read(ctx, console+path)
		if err == nil && status != http.StatusOK {
			err = fmt.Errorf("%s: %d", path, status)
		}
		return text, err
	}
	var file string
	expect.Eventually(t, "the requests are in the log", func(ctx context.Context) (err error) {
		file, err = read(ctx, "/requests.csv")
		for _, id := range c.sent {
			if err == nil && !strings.Contains(file, id) {
				err = fmt.Errorf("%s is missing", id)
			}
		}
		return err
	})
	places := map[string]string{"file": file}
	for _, path := range []string{"/requests", "/requests/newest", "/requests?status=4xx", "/audit", "/audit.csv"} {
		places[path] = expect.Must(read(t.Context(), path))(t)
	}
	for _, row := range expect.Must(csv.NewReader(strings.NewReader(file)).ReadAll())(t)[1:] {
		path := "/requests/" + row[1]
		places[path] = expect.Must(read(t.Context(), path))(t)
	}
	if page := places["/requests/"+c.sent[2]]; !strings.Contains(page, "JOB_NOT_FOUND") || !strings.Contains(page, "/v1/jobs/{jobId}") || !strings.Contains(page, ">ats<") {
		t.Errorf("the page of a request lacks its error, route or key: %s", page)
	}
	for _, place := range []string{"file", "/requests/" + c.sent[7]} {
		if !strings.Contains(places[place], c.seen) {
			t.Errorf("%s lacks the user agent, so the test proves nothing", place)
		}
	}
	maps.Copy(places, c.rows(t))
	maps.Copy(places, c.logs(t))
	for place, text := range places {
		if text == "" {
			t.Errorf("%s is empty, so the test proves nothing", place)
		}
		for _, where := range c.in(text) {
			t.Errorf("%s contains the %s", place, where)
		}
	}
	if n := len(c.canaries); n < 20 {
		t.Errorf("%d canaries, want at least 20", n)
	}
}

// rows returns all columns of the account's rows in the request log.
func (c *canaryAccount) rows(t *testing.T) map[string]string {
	t.Helper()
	conn := stored.Database(t, c.Stack, "auth")
	found := map[string]string{}
	rows := expect.Must(conn.Query(t.Context(), "SELECT to_jsonb(x)::text FROM request_log x WHERE account_id = $1", c.account))(t)
	found["request_log"] = strings.Join(expect.Must(pgx.CollectRows(rows, pgx.RowTo[string]))(t), "\n")
	for _, text := range append(c.sent, c.seen) {
		if !strings.Contains(found["request_log"], text) {
			t.Errorf("the table lacks %s, so the test proves nothing", text)
		}
	}
	return found
}

// logs returns the log files of all services in the stack.
func (c *canaryAccount) logs(t *testing.T) map[string]string {
	t.Helper()
	files := append(expect.Must(filepath.Glob(filepath.Join(c.Stack.Dir(), "*.log")))(t), c.Stack.Dir()+".log")
	found := map[string]string{}
	for _, file := range slices.Compact(files) {
		found[file] = string(expect.Must(os.ReadFile(file))(t))
	}
	if all := strings.Join(slices.Collect(maps.Values(found)), ""); !strings.Contains(all, c.sent[0]) {
		t.Error("the logs lack the requests, so the test proves nothing")
	}
	return found
}
