package app_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"vitae.internal/gateway/app"
)

// addresses reads the log until all listeners have logged their addresses.
func addresses(t *testing.T, log io.Reader, listeners int) map[string]string {
	t.Helper()
	found, lines := map[string]string{}, bufio.NewScanner(log)
	for len(found) < listeners && lines.Scan() {
		var line struct{ Msg, Listener, Addr string }
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		if line.Msg == "serving HTTP" {
			found[line.Listener] = line.Addr
		}
	}
	go func() { _, _ = io.Copy(io.Discard, log) }()
	return found
}

func TestRunFinishesInFlightRequests(t *testing.T) {
	t.Parallel()
	s := newScene(t, set("VITAE_PUBLIC_ADDR", "127.0.0.1:0"), set("VITAE_APP_ADDR", "127.0.0.1:0"))
	entered, release := make(chan struct{}), make(chan struct{})
	s.me.set(func(f *fakeMe) { f.hold = func() { close(entered); <-release } })

	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	done := make(chan error, 1)
	go func() { done <- s.gateway.Run(ctx) }()
	s.url = "http://" + addresses(t, s.log, app.Listeners)["edge"]
	if err := s.gateway.Ready(t.Context()); err != nil {
		t.Errorf("not ready: %v", err)
	}

	got := make(chan answer, 1)
	go func() { got <- s.get("/v1/me") }()
	<-entered
	stop()
	select {
	case err := <-done:
		t.Fatalf("Run returned while a request was in flight: %v", err)
	default:
	}
	close(release)
	if a := <-got; a.StatusCode != http.StatusOK {
		t.Errorf("the request in flight got %d %s", a.StatusCode, a.body)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
	if _, err := http.Get(s.url + "/v1/me"); err == nil { //nolint:noctx // it must fail immediately
		t.Error("still listening")
	}
}

func TestIdleConnectionsMakeRoom(t *testing.T) {
	t.Parallel()
	s := newScene(t, set("VITAE_PUBLIC_ADDR", "127.0.0.1:0"), set("VITAE_APP_ADDR", "127.0.0.1:0"), set("VITAE_MAX_CONNECTIONS", "8"), set("VITAE_TRUSTED_PROXIES", "127.0.0.0/8"))
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.gateway.Run(ctx) }()
	s.url = "http://" + addresses(t, s.log, app.Listeners)["edge"]
	// Each client keeps an idle connection open.
	for range 24 {
		transport := &http.Transport{}
		t.Cleanup(transport.CloseIdleConnections)
		a, err := (&http.Client{Transport: transport}).Get(s.url + "/.well-known/oauth-authorization-server") //nolint:noctx // as above
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, a.Body)
		_ = a.Body.Close()
	}
	stop()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func TestAddressInUseStopsGateway(t *testing.T) {
	t.Parallel()
	s := newScene(t, set("VITAE_PUBLIC_ADDR", "192.0.2.1:1"), set("VITAE_APP_ADDR", "127.0.0.1:0"))
	go func() { _, _ = io.Copy(io.Discard, s.log) }()
	if err := s.gateway.Run(t.Context()); err == nil {
		t.Error("Run returned no error for an address in use")
	}
}

func TestGatewayIsNotReadyBeforeListening(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	if err := s.gateway.Ready(t.Context()); err == nil {
		t.Error("Ready returned nil before the gateway listens")
	}
}

func TestGatewayIsNotReadyWithoutServices(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.stop["candidate"]()
	if err := s.gateway.Ready(t.Context()); err == nil || !strings.Contains(err.Error(), "candidate") {
		t.Errorf("without candidate: %v", err)
	}
}

func TestStoppingGatewayDrains(t *testing.T) {
	t.Parallel()
	s := newScene(t, set("VITAE_PUBLIC_ADDR", "127.0.0.1:0"), set("VITAE_APP_ADDR", "127.0.0.1:0"), set("VITAE_DRAIN_PAUSE", "1m"))
	ctx, stop := context.WithCancel(t.Context())
	go func() { _ = s.gateway.Run(ctx) }()
	s.url = "http://" + addresses(t, s.log, app.Listeners)["edge"]
	if err := s.gateway.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	stop()
	for s.gateway.Ready(t.Context()) == nil {
		runtime.Gosched()
	}
	// Use a new connection, like a client that does not know about the shutdown yet.
	http.DefaultClient.CloseIdleConnections()
	if a := s.get("/v1/me"); a.StatusCode != http.StatusOK {
		t.Errorf("%d %s", a.StatusCode, a.body)
	}
}
