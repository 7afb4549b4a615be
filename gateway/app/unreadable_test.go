package app_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"vitae.internal/gateway/app"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// unreadable holds requests that net/http rejects before any handler runs, with the expected status.
var unreadable = map[string]struct {
	request string
	status  int
}{
	"bad percent-encoding":      {"GET /v1/%zz HTTP/1.1\r\nHost: a\r\n\r\n", 400},
	"no host":                   {"GET /v1/me HTTP/1.1\r\n\r\n", 400},
	"bad host":                  {"GET /v1/me HTTP/1.1\r\nHost: a b\r\n\r\n", 400},
	"bad header name":           {"GET /v1/me HTTP/1.1\r\nHost: a\r\nx y: 1\r\n\r\n", 400},
	"bad length":                {"POST /oauth/token HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n", 400},
	"two lengths":               {"POST /oauth/token HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400},
	"unknown expectation":       {"GET /v1/me HTTP/1.1\r\nHost: a\r\nExpect: miracles\r\n\r\n", 417},
	"headers too large":         {"GET /v1/me HTTP/1.1\r\nHost: a\r\nX: " + strings.Repeat("x", 70<<10) + "\r\n\r\n", 431},
	"unknown transfer encoding": {"POST /oauth/token HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: x\r\n\r\n", 501},
	"unknown version":           {"GET /v1/me HTTP/3.7\r\nHost: a\r\n\r\n", 505},
	"no HTTP":                   {"\x16\x03\x01\r\n\r\n", 400},
}

// raw sends bytes to address and reads one response.
func raw(t *testing.T, address, request string) answer {
	t.Helper()
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := io.WriteString(conn, request); err != nil {
		t.Fatal(err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		t.Fatalf("%.60q: %v", request, err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer{resp, string(body)}
}

// listening runs the gateway and returns the addresses of its listeners.
func listening(t *testing.T) (*scene, map[string]string) {
	t.Helper()
	s := newScene(t, set("VITAE_PUBLIC_ADDR", "127.0.0.1:0"), set("VITAE_APP_ADDR", "127.0.0.1:0"))
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.gateway.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return s, addresses(t, s.log, app.Listeners)
}

func TestUnreadableRequestGetsFormattedError(t *testing.T) {
	t.Parallel()
	s, at := listening(t)
	ids := map[string]bool{}
	for name, tc := range unreadable {
		for door, check := range map[string]func(answer){
			"edge":   func(a answer) { a.wantEnvelope(t, tc.status, "PUBLIC_API_VALIDATION_ERROR") },
			"legacy": func(a answer) { a.wantLegacy(t, tc.status, "INVALID_REQUEST") },
			"pages": func(a answer) {
				if a.StatusCode != tc.status || !strings.HasPrefix(a.Header.Get("Content-Type"), "text/html") || !strings.Contains(a.body, "<h1") {
					t.Errorf("%d %v %s", a.StatusCode, a.Header, a.body)
				}
			},
		} {
			a := raw(t, at[door], tc.request)
			check(a)
			requestID := a.Header.Get("X-Request-Id")
			if !strings.HasPrefix(requestID, "req_") || ids[requestID] || a.Header.Get("X-Content-Type-Options") != "nosniff" || !a.Close {
				t.Errorf("%s on listener %s: %v", name, door, a.Header)
			}
			ids[requestID] = true
		}
	}
	s.url = "http://" + at["edge"]
	if a := s.get("/v1/me"); a.StatusCode != http.StatusOK {
		t.Errorf("a readable request: %d %s", a.StatusCode, a.body)
	}
}

// A response is sent in several writes. The test shifts the text to each offset, so that it begins a write at
// least once.
func TestDataThatLooksLikeErrorIsServed(t *testing.T) {
	t.Parallel()
	s, at := listening(t)
	const text = "HTTP/1.1 417"
	for shift := range len(text) {
		name := strings.Repeat("x", shift) + strings.Repeat(text, 800)
		s.me.set(func(f *fakeMe) { f.user = &candidatev1.SignedInUser{Name: name} })
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", at["edge"])
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		if _, err := io.WriteString(conn, "GET /v1/me HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer "+s.auth.token+"\r\n\r\n"+
			"GET /v1/me HTTP/3.7\r\nHost: a\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		answers := bufio.NewReader(conn)
		first, err := http.ReadResponse(answers, nil)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(first.Body)
		if err != nil || first.StatusCode != http.StatusOK || !strings.Contains(string(body), `"`+name+`"`) {
			t.Fatalf("shifted by %d: %v, status %d, %d bytes without the complete name", shift, err, first.StatusCode, len(body))
		}
		first.Body.Close()
		second, err := http.ReadResponse(answers, nil)
		if err != nil {
			t.Fatal(err)
		}
		refusal, err := io.ReadAll(second.Body)
		if err != nil {
			t.Fatal(err)
		}
		second.Body.Close()
		answer{second, string(refusal)}.wantEnvelope(t, http.StatusHTTPVersionNotSupported, "PUBLIC_API_VALIDATION_ERROR")
	}
}
