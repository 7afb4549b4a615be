package admission

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"

	"vitae.internal/gateway/internal/admission/limits"
	"vitae.internal/pkg/credential"
)

// admitted calls do with a request that has passed through the middleware chain.
func admitted(t *testing.T, address string, do func(*http.Request)) {
	t.Helper()
	if w := behind(t, from(address), http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { do(r) })); w.Code != http.StatusOK {
		t.Fatal(w.Code, w.Body)
	}
}

func newClients(t *testing.T, c *counters) *Clients {
	t.Helper()
	clients, err := Shared{Limiter: c}.NewClients("token", limits.Tier{})
	if err != nil {
		t.Fatal(err)
	}
	return clients
}

// admit calls clients.Admit and releases the slot immediately.
func admit(clients *Clients, r *http.Request, client Client) error {
	end, err := clients.Admit(r, client)
	end()
	return err
}

func secret(s string) Client { return Client{ID: "svc_ci_1", Secret: &s} }

// (behaviour: limits#client-tiers)
func TestClientIsCountedBySecret(t *testing.T) {
	subject := func(address string, client Client) string {
		c := &counters{}
		admitted(t, address, func(r *http.Request) {
			if err := admit(newClients(t, c), r, client); err != nil {
				t.Error(err)
			}
		})
		if len(c.charged) != 1 {
			t.Fatalf("charged %q", c.charged)
		}
		return c.charged[0]
	}
	const here, there = "192.0.2.1:1", "192.0.2.2:1"
	confidential, public := secret("a"), Client{ID: "svc_ci_1"}
	if subject(here, confidential) != subject(there, confidential) {
		t.Error("a confidential client has a separate tier per IP address")
	}
	if subject(here, public) == subject(there, public) || subject(here, public) == subject(here, confidential) {
		t.Error("a public client shares its tier with other IP addresses or with a confidential client")
	}
	if subject(here, secret("a")) == subject(here, secret("b")) || subject(here, secret("")) == subject(here, public) {
		t.Error("a request with a different secret is charged to the same tier")
	}
	if got := subject(here, Client{}); got != "token address 192.0.2.1" {
		t.Errorf("without a client, the request is charged to %q", got)
	}
	if strings.Contains(subject(here, confidential), "svc_ci_1") || !strings.HasPrefix(subject(here, confidential), "token client ") {
		t.Errorf("the subject is %q", subject(here, confidential))
	}
}

func TestUnauthenticatedClientsAreLimitedByFailures(t *testing.T) {
	for _, over := range []string{"failed client address", "failed client svc_ci_1 address"} {
		c := &counters{}
		clients := newClients(t, c)
		admitted(t, "192.0.2.1:1", func(r *http.Request) {
			if err := admit(clients, r, secret("a")); err != nil {
				t.Errorf("%s: before the failure: %v", over, err)
			}
			clients.Failed(r, secret("b"))
			if want := []string{"failed client address 192.0.2.1", "failed client svc_ci_1 address 192.0.2.1"}; !slices.Equal(c.charged[1:], want) {
				t.Errorf("a failure is charged to %q", c.charged[1:])
			}
			clients.Proven(r, secret("a"))
			c.over = []string{over}
			if err := admit(clients, r, secret("b")); !errors.Is(err, errOver) {
				t.Errorf("%s: a different secret: %v", over, err)
			}
			if err := admit(clients, r, secret("a")); err != nil {
				t.Errorf("%s: the authenticated secret: %v", over, err)
			}
		})
	}
	c := &counters{}
	clients := newClients(t, c)
	admitted(t, "192.0.2.1:1", func(r *http.Request) {
		clients.Failed(r, Client{})
		clients.Proven(r, Client{})
		if len(c.charged) != 0 {
			t.Errorf("without a client, the request is charged to %q", c.charged)
		}
		c.over = []string{"token address"}
		if err := admit(clients, r, Client{}); !errors.Is(err, errOver) {
			t.Errorf("without a client: %v", err)
		}
		c.over = []string{"token client"}
		if err := admit(clients, r, secret("a")); !errors.Is(err, errOver) {
			t.Errorf("a client over its tier: %v", err)
		}
	})
}

func TestSurfaceRejectsBeforeHandler(t *testing.T) {
	c := &counters{}
	s := Surface{Name: "photo", Limiter: c}
	passed := 0
	limited := s.Limit(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { passed++ }))
	if w := behind(t, from("192.0.2.1:1"), limited); w.Code != http.StatusOK || passed != 1 {
		t.Errorf("%d, passed %d times", w.Code, passed)
	}
	c.over = []string{"photo"}
	if w := behind(t, from("192.0.2.1:1"), limited); w.Code != http.StatusTooManyRequests || passed != 1 {
		t.Errorf("over the limit: status %d, passed %d times", w.Code, passed)
	}
	admitted(t, "192.0.2.1:1", func(r *http.Request) {
		if err := s.Check(r, 0); !errors.Is(err, errOver) || len(c.checked) != 1 || len(c.charged) != 2 {
			t.Errorf("check: %v, checked %q, charged %q", err, c.checked, c.charged)
		}
	})
}

// fakeReading is a Reading that records its look-ups.
type fakeReading struct {
	*counters
	checked []limits.Lookup
}

func (l *fakeReading) Surface(ctx context.Context, t limits.Tier, subject string, look limits.Lookup) (limits.Found, error) {
	l.checked = append(l.checked, look)
	return limits.Found{nil}, l.counters.Surface(ctx, t, subject)
}

func TestAdmitReadingOnlyForProvenClients(t *testing.T) {
	look := limits.Lookup{AccountID: "dev_1", Hashes: []credential.Digest{{1}}}
	for name, c := range map[string]struct {
		before func(*Clients, *http.Request)
		look   limits.Lookup
		reads  bool
	}{
		"unknown":                 {func(*Clients, *http.Request) {}, look, false},
		"authenticated":           {func(c *Clients, r *http.Request) { c.Proven(r, secret("a")) }, look, true},
		"with a different secret": {func(c *Clients, r *http.Request) { c.Proven(r, secret("b")) }, look, false},
		"failed since": {func(c *Clients, r *http.Request) {
			c.Proven(r, secret("a"))
			c.Failed(r, secret("a"))
		}, look, false},
		"with an empty look-up": {func(c *Clients, r *http.Request) { c.Proven(r, secret("a")) }, limits.Lookup{}, false},
	} {
		counted := &counters{}
		clients, by := newClients(t, counted), &fakeReading{counters: counted}
		admitted(t, "192.0.2.1:1", func(r *http.Request) {
			c.before(clients, r)
			counted.charged = nil
			found, end, err := clients.AdmitReading(r, secret("a"), by, c.look)
			end()
			if err != nil || (found != nil) != c.reads || (len(by.checked) == 1) != c.reads || len(counted.charged) != 1 {
				t.Errorf("%s: %v, read %v, charged %q, %v", name, found, by.checked, counted.charged, err)
			}
		})
	}
}
