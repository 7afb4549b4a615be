package app_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"vitae.internal/gateway/app"
)

// running returns a scene that has its own listeners and the timeouts used in production.
func running(t *testing.T, options ...option) (s *scene, addr string) {
	t.Helper()
	s = newScene(t, append(options, set("VITAE_PUBLIC_ADDR", "127.0.0.1:0"), set("VITAE_APP_ADDR", "127.0.0.1:0"))...)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.gateway.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	addr = addresses(t, s.log, app.Listeners)["edge"]
	s.url = "http://" + addr
	return s, addr
}

// wire is a client connection for raw requests.
type wire struct {
	t *testing.T
	net.Conn
	read *bufio.Reader
}

func dial(t *testing.T, addr string) wire {
	t.Helper()
	c, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	// The deadline fails the test if the gateway never responds.
	if err := c.SetDeadline(time.Now().Add(2 * time.Minute)); err != nil {
		t.Fatal(err)
	}
	return wire{t, c, bufio.NewReader(c)}
}

func (w wire) send(text string) wire {
	w.t.Helper()
	// The gateway may respond and close the connection before it has read the whole request.
	_, _ = io.WriteString(w.Conn, text)
	return w
}

// answer reads one response.
func (w wire) answer() (status int, header http.Header, body string) {
	w.t.Helper()
	r, err := http.ReadResponse(w.read, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	defer r.Body.Close()
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		w.t.Fatal(err)
	}
	return r.StatusCode, r.Header, string(raw)
}

// dropped waits until the gateway has closed the connection.
func (w wire) dropped(what string) {
	w.t.Helper()
	_, err := io.Copy(io.Discard, w.read)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		w.t.Errorf("%s: the gateway keeps the connection open", what)
	}
}

func TestSlowClientsAreDropped(t *testing.T) {
	t.Parallel()
	s, addr := running(t)
	var clients sync.WaitGroup
	for what, text := range map[string]string{
		"sends nothing":   "",
		"half a header":   "GET /v1/me HTTP/1.1\r\nHost: a\r\nX-A: ",
		"half a body":     "POST /v1/companies HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + s.auth.key + "\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{",
		"half a chunk":    "POST /v1/companies HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + s.auth.key + "\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n{",
		"half a form":     "POST /oauth/token HTTP/1.1\r\nHost: a\r\nContent-Type: " + formType + "\r\nContent-Length: 1000\r\n\r\na=",
		"half a big body": "POST /v1/companies HTTP/1.1\r\nHost: a\r\nContent-Length: 3000000\r\n\r\n{",
	} {
		w := dial(t, addr).send(text)
		clients.Go(func() { w.dropped(what) })
	}
	// Sending single bytes does not extend the time for the header.
	trickling := dial(t, addr).send("GET /v1/me HTTP/1.1\r\nHost: a\r\n")
	ended := make(chan struct{})
	clients.Go(func() { trickling.dropped("trickles"); close(ended) })
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for open := true; open; {
		select {
		case <-ended:
			open = false
		case <-tick.C:
			trickling.send("X-A: b\r\n")
		}
	}
	clients.Wait()
	if a := s.get("/v1/me"); a.StatusCode != http.StatusOK {
		t.Errorf("the next request gets %d", a.StatusCode)
	}
}

func TestOversizedRequestsAreRejected(t *testing.T) {
	t.Parallel()
	_, addr := running(t)
	get := "GET /v1/me HTTP/1.1\r\nHost: a\r\n"
	for what, c := range map[string]struct {
		text   string
		status int
	}{
		"a header field":  {get + "X-A: " + strings.Repeat("a", 80<<10) + "\r\n\r\n", 431},
		"a header":        {get + strings.Repeat("X-A: "+strings.Repeat("a", 100)+"\r\n", 1000) + "\r\n", 431},
		"many fields":     {get + strings.Repeat("X-A: b\r\n", 20_000) + "\r\n", 431},
		"a target":        {"GET /" + strings.Repeat("a", 80<<10) + " HTTP/1.1\r\nHost: a\r\n\r\n", 431},
		"a body":          {"POST /oauth/token HTTP/1.1\r\nHost: a\r\nContent-Type: " + formType + "\r\nContent-Length: 1048577\r\n\r\n" + strings.Repeat("a", 1<<20+1), 413},
		"a body in parts": {"POST /oauth/token HTTP/1.1\r\nHost: a\r\nContent-Type: " + formType + "\r\nTransfer-Encoding: chunked\r\n\r\n100001\r\n" + strings.Repeat("a", 1<<20+1) + "\r\n0\r\n\r\n", 413},
	} {
		w := dial(t, addr)
		go w.send(c.text)
		// If the client is still writing, a connection reset may discard the response.
		r, err := http.ReadResponse(w.read, nil)
		if err != nil {
			if !errors.Is(err, syscall.ECONNRESET) {
				t.Errorf("%s: %v", what, err)
			}
			continue
		}
		_ = r.Body.Close()
		if r.StatusCode != c.status {
			t.Errorf("%s: %d, want %d", what, r.StatusCode, c.status)
		}
	}
}

// The gateway must not treat anything inside such a body as a request (RFC 9112 §6.3, §11.2).
func TestRequestSmugglingIsRejected(t *testing.T) {
	t.Parallel()
	s, addr := running(t)
	hidden := "GET /v1/me HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " + s.auth.token + "\r\n\r\n"
	post := "POST /oauth/revoke HTTP/1.1\r\nHost: a\r\nContent-Type: " + formType + "\r\n"
	for what, header := range map[string]string{
		"two lengths":             "Content-Length: 0\r\nContent-Length: 5\r\n",
		"two lengths in a line":   "Content-Length: 0, 5\r\n",
		"a length with a sign":    "Content-Length: +0\r\n",
		"a length in hex":         "Content-Length: 0x0\r\n",
		"an unknown coding":       "Transfer-Encoding: xchunked\r\n",
		"two codings":             "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
		"chunked twice":           "Transfer-Encoding: chunked, chunked\r\n",
		"a space before a colon":  "Content-Length : 0\r\n",
		"a folded name":           "X-A: b\r\n Content-Length: 0\r\nBad Name: x\r\n",
		"a NUL":                   "X-A: a\x00b\r\n",
		"two Host headers":        "Host: b\r\n",
		"a carriage return alone": "X-A: b\rTransfer-Encoding: chunked\r\n",
	} {
		w := dial(t, addr).send(post + header + "\r\n" + hidden)
		if status, _, body := w.answer(); status != http.StatusBadRequest && status != http.StatusNotImplemented {
			t.Errorf("%s: %d %s", what, status, body)
			continue
		}
		w.dropped(what)
	}
	// If both headers are present, the gateway obeys Transfer-Encoding and then closes the connection.
	w := dial(t, addr).send(post + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + hidden)
	if status, _, body := w.answer(); strings.Contains(body, `"person"`) {
		t.Errorf("a coding and a length: %d %s", status, body)
	}
	w.dropped("a coding and a length")
	if n := s.me.calls(); n != 0 {
		t.Errorf("%d smuggled requests were served", n)
	}
}

func TestHTTP10AndProxyRequestsAreServed(t *testing.T) {
	t.Parallel()
	s, addr := running(t)
	credential := "Authorization: Bearer " + s.auth.token + "\r\n"
	for what, text := range map[string]string{
		"HTTP/1.0":                "GET /v1/me HTTP/1.0\r\n" + credential + "\r\n",
		"an absolute target":      "GET http://" + addr + "/v1/me HTTP/1.1\r\nHost: other\r\n" + credential + "Connection: close\r\n\r\n",
		"different host":          "GET /v1/me HTTP/1.1\r\nHost: nobody.example\r\n" + credential + "Connection: close\r\n\r\n",
		"forged internal headers": "GET /v1/me HTTP/1.1\r\nHost: a\r\n" + credential + forged + "Connection: close\r\n\r\n",
	} {
		w := dial(t, addr).send(text)
		status, header, body := w.answer()
		if status != http.StatusOK || !strings.HasPrefix(header.Get("X-Request-Id"), "req_") {
			t.Errorf("%s: %d %s", what, status, body)
		}
		w.dropped(what)
	}
	for _, md := range s.me.metadata() {
		for name, values := range md {
			if strings.Contains(fmt.Sprint(values), "forged") || strings.Contains(name, "forged") {
				t.Errorf("metadata %s: %v came from the client", name, values)
			}
		}
		if len(md.Get("vitae-principal-bin")) != 1 || len(md.Get("vitae-request-id")) != 1 {
			t.Errorf("principal %q, request id %q; want one of each", md.Get("vitae-principal-bin"), md.Get("vitae-request-id"))
		}
	}
}

const forged = "Grpc-Metadata-Vitae-Principal-Bin: forged\r\nGrpc-Metadata-Vitae-Request-Id: forged\r\nVitae-Principal-Bin: forged\r\n" +
	"Vitae-Request-Id: forged\r\nGrpc-Metadata-Forged: forged\r\nX-HTTP-Method-Override: DELETE\r\nX-HTTP-Method: DELETE\r\n" +
	"X-Method-Override: DELETE\r\nGrpc-Timeout: 1n\r\nX-Forwarded-For: 192.0.2.7, forged\r\n"

func TestExcessRequestsAreRejectedImmediately(t *testing.T) {
	t.Parallel()
	const most = 8
	s, _ := running(t, set("VITAE_MAX_IN_FLIGHT", fmt.Sprint(most)))
	entered, released := make(chan struct{}, most), make(chan struct{})
	release := sync.OnceFunc(func() { close(released) })
	t.Cleanup(release)
	s.me.set(func(f *fakeMe) {
		f.hold = func() {
			select {
			case entered <- struct{}{}:
			default:
			}
			<-released
		}
	})
	held := make(chan answer, most)
	for range most {
		go func() { held <- s.get("/v1/me") }()
	}
	for range most {
		<-entered
	}
	for range 50 {
		a := s.get("/v1/me")
		a.wantEnvelope(t, http.StatusServiceUnavailable, "SERVICE_UNAVAILABLE")
		if a.Header.Get("Retry-After") == "" {
			t.Error("the response has no Retry-After")
		}
	}
	s.post("/oauth/token", "client_id=a").wantFlat(t, http.StatusServiceUnavailable, "temporarily_unavailable")
	s.post("/oauth/revoke", "client_id=a").wantEnvelope(t, http.StatusServiceUnavailable, "SERVICE_UNAVAILABLE")
	release()
	for range most {
		if a := <-held; a.StatusCode != http.StatusOK {
			t.Errorf("a request in flight got %d", a.StatusCode)
		}
	}
	if a := s.get("/v1/me"); a.StatusCode != http.StatusOK {
		t.Errorf("after the load: %d", a.StatusCode)
	}
}

func TestExcessConnectionsWait(t *testing.T) {
	t.Parallel()
	s, addr := running(t, set("VITAE_MAX_CONNECTIONS", "4"))
	for range 8 {
		dial(t, addr)
	}
	// Earlier connections time out, so the waiting ones can be accepted.
	if a := s.get("/v1/me"); a.StatusCode != http.StatusOK {
		t.Errorf("got %d", a.StatusCode)
	}
}
