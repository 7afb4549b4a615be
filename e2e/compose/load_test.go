//go:build compose

package compose_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

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
	// between two requests of one client. It keeps below every tier, and leaves the machine
	// some of its time.
	pause = 250 * time.Millisecond
	// rare is for what costs a whole Chromium.
	rare = 3 * time.Second
	// plain is more than any answer takes.
	plain = 55 * time.Second
)

// connected is the person of the tests, who connects the partner of the tests.
func connected(t testing.TB) (partner.Client, partner.Tokens) {
	t.Helper()
	app := system.own.Apps["web"]
	c := partner.Client{BaseURL: api, Issuer: api, ID: app.ClientID, Secret: app.ClientSecret, Redirect: world.Redirect}
	p := person.New(system.person.Email, system.person.Password)
	return c, scene.Connect(t, c, p, world.EveryScope, person.Choice{})
}

// load are clients that ask until they are stopped, each on its own connection.
type load struct {
	mu     sync.Mutex
	asked  int
	failed []string
	stop   func()
}

// begin starts requests that need every part: reads with a token and with a key, a page,
// a document, and something that is written.
func begin(t testing.TB) *load {
	t.Helper()
	d := running(t)
	_, tokens := connected(t)
	key := d.own.APIKeys["ats"].Key
	ctx, cancel := context.WithCancel(context.Background())
	l := &load{}
	var wait sync.WaitGroup
	l.stop = sync.OnceFunc(func() { cancel(); wait.Wait() })
	t.Cleanup(l.stop)
	client := func(every time.Duration, want int, method, target, credential, body string) {
		wait.Go(func() {
			h := &http.Client{Transport: &http.Transport{}, Timeout: plain, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
			for n := 0; ctx.Err() == nil; n++ {
				l.ask(h, want, method, target, credential, fmt.Sprintf(body, time.Now().UnixNano()))
				select {
				case <-ctx.Done():
				case <-time.After(every):
				}
			}
		})
	}
	client(pause, 200, "GET", api+"/v1/me", tokens.Access, "")
	client(pause, 200, "GET", api+"/v1/me/cv", tokens.Access, "")
	client(pause, 200, "GET", api+"/v1/companies", key, "")
	client(pause, 201, "POST", api+"/v1/companies", key, company)
	client(pause, 200, "GET", pages+"/", "", "")
	client(rare, 200, "GET", api+"/v1/me/cv.pdf", tokens.Access, "")
	until(t, "every client has been answered", func() bool {
		l.mu.Lock()
		defer l.mu.Unlock()
		return l.asked > 20
	})
	return l
}

// company is the body that makes one; each has an id of its own.
const company = `{"name":"Load Test","industry":"Food","employeeCount":"11-50","location":"Sharjah, United Arab Emirates",` +
	`"description":"Made by a test of the deployment, one among a great many that are alike.","externalId":"load-%d"}`

func (l *load) ask(h *http.Client, want int, method, target, credential, body string) {
	if method == "GET" {
		body = ""
	}
	req, err := http.NewRequest(method, target, strings.NewReader(body))
	if err != nil {
		panic(err) // the addresses are constants
	}
	if credential != "" {
		req.Header.Set("Authorization", "Bearer "+credential)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	began := time.Now()
	status, text := 0, ""
	res, err := h.Do(req)
	if err == nil {
		var b bytes.Buffer
		_, err = b.ReadFrom(res.Body)
		res.Body.Close()
		status, text = res.StatusCode, fmt.Sprintf("%.200s", b.String())
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.asked++
	if err != nil || status != want {
		l.failed = append(l.failed, fmt.Sprintf("%s after %v: %s %s: %d %v %s", time.Now().Format("15:04:05"), time.Since(began).Round(time.Millisecond), method, target, status, err, text))
	}
}

// counted gives how many requests were asked and have failed so far.
func (l *load) counted() (asked, failed int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.asked, len(l.failed)
}

// more waits until the load has been answered some more.
func (l *load) more(t testing.TB) {
	t.Helper()
	before, _ := l.counted()
	until(t, "more is answered", func() bool { now, _ := l.counted(); return now > before+40 })
}

// nothingFailed stops the load.
func (l *load) nothingFailed(t testing.TB) {
	t.Helper()
	l.more(t)
	l.stop()
	asked, failed := l.counted()
	t.Logf("%d requests, %d failed", asked, failed)
	for i, f := range l.failed {
		if i < 10 {
			t.Error(f)
		}
	}
}

// tolerant is the output of a command that may fail.
func tolerant(name string, args ...string) string {
	out, _ := exec.Command(name, args...).Output()
	return string(out)
}

func dockerCommand(args ...string) *exec.Cmd { return exec.Command("docker", args...) }
