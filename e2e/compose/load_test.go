//go:build compose

package compose_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

const (
	api    = "http://127.0.0.1:8080"
	pages  = "http://127.0.0.1:8081"
	legacy = "http://127.0.0.1:8082"
	desk   = "http://127.0.0.1:8083"
	// pause is the time between two requests of a client. It keeps the load below all rate limits, and
	// leaves processor time for other processes.
	pause = 250 * time.Millisecond
	// rarePause is for calls that need a whole Chromium, and for the OAuth endpoints, which limit a
	// client to 1200 requests per hour.
	rarePause = 4 * time.Second
	// slowPause is for calls with a stricter rate limit.
	slowPause = time.Second
	// inARow is the number of consecutive requests that must succeed before a fault counts as over.
	inARow = 100
	// requestTimeout is longer than any response takes.
	requestTimeout = 55 * time.Second
)

// partnerOf returns the tests' confidential client.
func (d *deployment) partnerOf() partner.Client {
	app := d.own.Apps["web"]
	return partner.Client{BaseURL: api, Issuer: api, ID: app.ClientID, Secret: app.ClientSecret, Redirect: world.Redirect}
}

// connect connects the tests' client, and returns the tests' person and the tokens.
func connect(t testing.TB) (*person.Person, partner.Tokens) {
	t.Helper()
	p := person.New(system.person.Email, system.person.Password)
	return p, scene.Connect(t, system.partnerOf(), p, world.EveryScope, person.Choice{})
}

// load is a set of clients that send requests until they are stopped, each on its own connection.
type load struct {
	mu       sync.Mutex
	requests int
	failed   []failure
	// made holds the ids of companies whose creation was acknowledged.
	made []string
	stop func()
}

// failure is a request without the expected response.
type failure struct {
	at     time.Time
	status int // 0 if there was no response
	text   string
	// requestID is the request id in the response, or "".
	requestID string
}

// begin starts requests that need every service, through every listener: reads with a token and with a
// key, pages for a signed-in person, a document, writes, and token refreshes.
func begin(t testing.TB) *load {
	t.Helper()
	d := running(t)
	p, tokens := connect(t)
	q, others := connect(t)
	key := d.own.APIKeys["ats"].Key
	ctx, cancel := context.WithCancel(context.Background())
	l := &load{}
	var wait sync.WaitGroup
	l.stop = sync.OnceFunc(func() { cancel(); wait.Wait() })
	t.Cleanup(l.stop)
	loop := func(every time.Duration, do func()) {
		wait.Go(func() {
			for ctx.Err() == nil {
				do()
				select {
				case <-ctx.Done():
				case <-time.After(every):
				}
			}
		})
	}
	for _, r := range []request{
		{pause, 200, "GET", api + "/v1/me", tokens.Access, nil},
		{pause, 200, "GET", api + "/v1/me/cv", tokens.Access, nil},
		{pause, 200, "GET", api + "/v1/companies", key, nil},
		{pause, 201, "POST", api + "/v1/companies", key, func() string { return fmt.Sprintf(company, time.Now().UnixNano()) }},
		{pause, 200, "GET", pages + "/", "", nil},
		{slowPause, 404, "GET", legacy + "/nothing", "", nil},
		{slowPause, 404, "GET", desk + "/nothing", "", nil},
		{rarePause, 200, "GET", api + "/v1/me/cv.pdf", tokens.Access, nil},
	} {
		c := newClient()
		loop(r.every, func() { l.send(c, r) })
	}
	loop(slowPause, func() { l.visit(p) })
	loop(rarePause, (&refresher{load: l, client: d.partnerOf(), person: q, token: others.Refresh}).refresh)
	until(t, "every client has received responses", func() bool {
		requests, _ := l.counted()
		return requests > 40
	})
	return l
}

func (l *load) record(began time.Time, what string, want int, a partner.Response, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.requests++
	if err != nil || a.Status != want {
		if err != nil {
			a.Status = 0
		}
		id := a.Header.Get("X-Request-Id")
		text := fmt.Sprintf("%s after %v: %s: %s, request id %q, %v", began.Format("15:04:05.000"), time.Since(began).Round(time.Millisecond), what, a, id, err)
		l.failed = append(l.failed, failure{time.Now(), a.Status, text, id})
		return
	}
	if a.Status == http.StatusCreated {
		var made struct{ Data struct{ ID string } }
		if err := json.Unmarshal(a.Body, &made); err == nil {
			l.made = append(l.made, made.Data.ID)
		}
	}
}

// counted returns the number of requests sent and the number of failed requests so far.
func (l *load) counted() (requests, failed int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.requests, len(l.failed)
}

// awaitMore waits until the load has received more responses.
func (l *load) awaitMore(t testing.TB) {
	t.Helper()
	before, _ := l.counted()
	until(t, "more requests are served", func() bool { now, _ := l.counted(); return now > before+inARow })
}

// nothingFailed stops the load and asserts that no request failed.
func (l *load) nothingFailed(t testing.TB) {
	t.Helper()
	l.awaitMore(t)
	l.stop()
	t.Logf("%d requests, %d failed", l.requests, len(l.failed))
	l.report(t)
	l.checkWrites(t)
}

func (l *load) report(t testing.TB) {
	t.Helper()
	for i, f := range l.failed {
		if i < 10 {
			t.Error(f.text)
			if f.requestID != "" {
				logged, _ := system.command(alive, "logs", "--no-color").CombinedOutput()
				for line := range strings.Lines(string(logged)) {
					if strings.Contains(line, f.requestID) {
						t.Log(strings.TrimSpace(line))
					}
				}
			}
		}
	}
}

// checkWrites asserts that no acknowledged write is lost.
func (l *load) checkWrites(t testing.TB) {
	t.Helper()
	if len(l.made) == 0 {
		t.Error("no write was acknowledged")
	}
	there := map[string]bool{}
	for page := 1; ; page++ {
		a := expect.Must(partner.Get(t.Context(), fmt.Sprintf("%s/v1/companies?pageSize=100&page=%d", api, page), system.own.APIKeys["ats"].Key))(t)
		var list struct{ Data []struct{ ID string } }
		if err := json.Unmarshal(a.Body, &list); err != nil || a.Status != 200 {
			t.Fatalf("%s: %v", a, err)
		}
		for _, c := range list.Data {
			there[c.ID] = true
		}
		if len(list.Data) == 0 {
			break
		}
		time.Sleep(pause) // stays below the key's rate limit
	}
	for _, id := range l.made {
		if !there[id] {
			t.Errorf("company %s was acknowledged, but is lost", id)
		}
	}
}

// tryOutput runs a command, ignores its exit status, and returns its output.
func tryOutput(name string, args ...string) string {
	out, _ := exec.Command(name, args...).Output()
	return string(out)
}

func dockerCommand(args ...string) *exec.Cmd { return exec.Command("docker", args...) }
