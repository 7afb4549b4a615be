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
	// pause is between two requests of one client. It stays below the limits of every tier, and
	// leaves some processor time to others.
	pause = 250 * time.Millisecond
	// rare is for calls that need a whole Chromium, and for the OAuth endpoints, to which a client
	// may send 1200 requests an hour.
	rare = 4 * time.Second
	// slow is for calls with a stricter limit.
	slow = time.Second
	// inARow is how many requests in a row must succeed before a fault is over.
	inARow = 100
	// plain is longer than any answer takes.
	plain = 55 * time.Second
)

// partnerOf is the confidential client of the tests.
func (d *deployment) partnerOf() partner.Client {
	app := d.own.Apps["web"]
	return partner.Client{BaseURL: api, Issuer: api, ID: app.ClientID, Secret: app.ClientSecret, Redirect: world.Redirect}
}

// connected is the person of the tests, who connects the partner of the tests.
func connected(t testing.TB) (*person.Person, partner.Tokens) {
	t.Helper()
	p := person.New(system.person.Email, system.person.Password)
	return p, scene.Connect(t, system.partnerOf(), p, world.EveryScope, person.Choice{})
}

// load is a set of clients that send requests until they are stopped, each on its own connection.
type load struct {
	mu     sync.Mutex
	asked  int
	failed []failure
	// made are the ids of the companies that were acknowledged.
	made []string
	stop func()
}

// failure is a request that was not answered as it should be.
type failure struct {
	at     time.Time
	status int // 0 without an answer
	text   string
	// requestID is empty if the answer has none.
	requestID string
}

// begin starts requests that need every part, through every listener: reads with a token and with
// a key, pages for a signed-in person, a document, writes, and token refreshes.
func begin(t testing.TB) *load {
	t.Helper()
	d := running(t)
	p, tokens := connected(t)
	q, others := connected(t)
	key := d.own.APIKeys["ats"].Key
	ctx, cancel := context.WithCancel(context.Background())
	l := &load{}
	var wait sync.WaitGroup
	l.stop = sync.OnceFunc(func() { cancel(); wait.Wait() })
	t.Cleanup(l.stop)
	loop := func(every time.Duration, ask func()) {
		wait.Go(func() {
			for ctx.Err() == nil {
				ask()
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
		{slow, 404, "GET", legacy + "/nothing", "", nil},
		{slow, 404, "GET", desk + "/nothing", "", nil},
		{rare, 200, "GET", api + "/v1/me/cv.pdf", tokens.Access, nil},
	} {
		c := newClient()
		loop(r.every, func() { l.ask(c, r) })
	}
	loop(slow, func() { l.visit(p) })
	loop(rare, (&refresher{load: l, client: d.partnerOf(), person: q, token: others.Refresh}).refresh)
	until(t, "every client has been answered", func() bool {
		asked, _ := l.counted()
		return asked > 40
	})
	return l
}

func (l *load) note(began time.Time, what string, want int, a partner.Response, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.asked++
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

// counted returns how many requests were sent and how many failed so far.
func (l *load) counted() (asked, failed int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.asked, len(l.failed)
}

// more waits until the load has received some more answers.
func (l *load) more(t testing.TB) {
	t.Helper()
	before, _ := l.counted()
	until(t, "more is answered", func() bool { now, _ := l.counted(); return now > before+inARow })
}

// nothingFailed stops the load.
func (l *load) nothingFailed(t testing.TB) {
	t.Helper()
	l.more(t)
	l.stop()
	t.Logf("%d requests, %d failed", l.asked, len(l.failed))
	l.report(t)
	l.kept(t)
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

// kept checks that everything that was acknowledged is there.
func (l *load) kept(t testing.TB) {
	t.Helper()
	if len(l.made) == 0 {
		t.Error("nothing was written")
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
		time.Sleep(pause) // below the limit of the key
	}
	for _, id := range l.made {
		if !there[id] {
			t.Errorf("company %s was acknowledged, and is not there", id)
		}
	}
}

// tolerant is the output of a command that may fail.
func tolerant(name string, args ...string) string {
	out, _ := exec.Command(name, args...).Output()
	return string(out)
}

func dockerCommand(args ...string) *exec.Cmd { return exec.Command("docker", args...) }
