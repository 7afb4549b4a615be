package app_test

import (
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"vitae.internal/pkg/testkit"
)

// trips counts the round trips from a gateway to Redis.
type trips struct {
	url  string
	sent atomic.Int32
}

// newTrips starts a proxy in front of a Redis server.
func newTrips(t *testing.T, address string) *trips {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	c, behind := &trips{}, u.Host
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", behind)
			if err != nil {
				_ = client.Close()
				return
			}
			go func() { _, _ = io.Copy(client, server); _ = client.Close() }()
			go func() { _, _ = io.Copy(counted{server, c}, client); _ = server.Close() }()
		}
	}()
	u.Host = l.Addr().String()
	c.url = u.String()
	return c
}

// counted counts the chunks that are written to it. A small pipeline is one chunk.
type counted struct {
	io.Writer
	in *trips
}

func (c counted) Write(p []byte) (int, error) {
	c.in.sent.Add(1)
	return c.Writer.Write(p)
}

func TestIntrospectionTakesOneRoundTrip(t *testing.T) {
	t.Parallel()
	for _, tiers := range []string{"on", "off"} {
		t.Run("tiers "+tiers, func(t *testing.T) {
			server := newTrips(t, testkit.Redis(t))
			s := newIntrospectedOn(t, server.url, set("VITAE_SURFACE_TIERS", tiers), set("VITAE_TIER_OAUTH", "1000/1s 100000/1m"))
			s.warm()
			const requests = 50
			before := server.sent.Load()
			for range requests {
				if a := s.introspect(s.secret, s.token); a.StatusCode != http.StatusOK || !strings.Contains(a.body, `"active":true`) {
					t.Fatalf("%d %s", a.StatusCode, a.body)
				}
			}
			if n := server.sent.Load() - before; n != requests || s.calls() != 0 {
				t.Errorf("%d round trips for %d introspections", n, requests)
			}
		})
	}
}

func TestIntrospectionFromRecordsIsCharged(t *testing.T) {
	t.Parallel()
	s := newIntrospectedOn(t, testkit.Redis(t), set("VITAE_SURFACE_TIERS", "on"), set("VITAE_TIER_OAUTH", "8/1h 8/1h"))
	for n := 1; n <= 8; n++ {
		if a := s.introspect(s.secret, s.token); a.StatusCode != http.StatusOK {
			t.Fatalf("request %d: %d %s", n, a.StatusCode, a.body)
		}
	}
	if n := s.calls(); n > 3 {
		t.Fatalf("the gateway called auth for %d of 8 requests: the test proves nothing", n)
	}
	s.introspect(s.secret, s.token).wantFlat(t, http.StatusTooManyRequests, "temporarily_unavailable")
	grant := url.Values{"grant_type": {"refresh_token"}, "refresh_token": {"x"}}.Encode()
	s.post("/oauth/token", grant, "Authorization", basic(clientID, s.secret)).wantFlat(t, http.StatusTooManyRequests, "temporarily_unavailable")
}

func TestMalformedIntrospectionIsRejected(t *testing.T) {
	t.Parallel()
	s := newIntrospectedOn(t, testkit.Redis(t))
	s.warm()
	auth := []string{"Authorization", basic(clientID, s.secret)}
	for name, a := range map[string]answer{
		"two tokens":                 s.post("/oauth/introspect", "token="+s.token+"&token="+s.token, auth...),
		"a query":                    s.post("/oauth/introspect?token="+s.token, "token="+s.token, auth...),
		"two authentication methods": s.post("/oauth/introspect", "token="+s.token+"&client_secret="+s.secret, auth...),
		"different client id":        s.post("/oauth/introspect", "token="+s.token+"&client_id=x", auth...),
		"two headers":                s.post("/oauth/introspect", "token="+s.token+"&client_id="+clientID+"&client_secret="+s.secret, append(auth, auth...)...),
		"no token":                   s.post("/oauth/introspect", "", auth...),
	} {
		if a.StatusCode != http.StatusBadRequest || s.calls() != 0 {
			t.Errorf("%s: %d %s", name, a.StatusCode, a.body)
		}
	}
}

func TestAuthIntrospectsWithoutRedis(t *testing.T) {
	t.Parallel()
	server := testkit.PrivateRedis(t)
	s := newIntrospectedOn(t, server.URL())
	want := s.warm()
	server.Kill()
	for range 3 {
		s.calls()
		if a := s.introspect(s.secret, s.token); !same(a, want) || s.calls() != 1 {
			t.Errorf("%d %s", a.StatusCode, a.body)
		}
	}
}
