package chain

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/pkg/grpcx"
)

type noUsage struct{}

func (noUsage) Record(Record) {}

// behind wraps a handler in the middleware chain.
func behind(t *testing.T, logTo io.Writer, h http.HandlerFunc, memory ...*Memory) http.Handler {
	t.Helper()
	log := slog.New(slog.NewJSONHandler(logTo, nil))
	cfg := Config{Log: log, Usage: noUsage{}, PlatformOn: true, MaxInFlight: 10}
	if len(memory) > 0 {
		cfg.Memory = memory[0]
	}
	built, err := New(cfg, Listener{Name: "test", Headers: DataHeaders(), Fail: answer.Errors{Log: log}.Write, Handler: h, Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	return built
}

// If Content-Length is too small, the remaining body, here a secret, is parsed as the method of the next
// request.
func TestUnknownMethodIsNotLogged(t *testing.T) {
	for method, want := range map[string]string{"GET": `"method":"GET"`, "PATCH": `"method":"PATCH"`, "svc_cs_secretPOST": `"method":"_OTHER"`} {
		var log bytes.Buffer
		h := behind(t, &log, func(http.ResponseWriter, *http.Request) {})
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(method, "/", nil))
		if !strings.Contains(log.String(), want) || strings.Contains(log.String(), "secret") {
			t.Errorf("%s: %s", method, log.String())
		}
	}
}

// The platform check precedes the size check (behaviour: errors#order-of-checks).
func TestPlatformOffReturnsNotFound(t *testing.T) {
	log := slog.New(slog.DiscardHandler)
	large := strings.Repeat("x", MaxBody+1)
	for _, c := range []struct {
		on, whileOff bool
		body         string
		want         int
	}{
		{false, false, "", http.StatusNotFound},
		{false, true, "", http.StatusOK},
		{false, false, large, http.StatusNotFound},
		{true, false, large, http.StatusRequestEntityTooLarge},
	} {
		h, err := New(Config{Log: log, Usage: noUsage{}, MaxInFlight: 10, PlatformOn: c.on}, Listener{
			Name: "test", Fail: answer.Errors{Log: log}.Write, WhilePlatformOff: c.whileOff, Timeout: time.Minute,
			Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}),
		})
		if err != nil {
			t.Fatal(err)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/", strings.NewReader(c.body)))
		if w.Code != c.want {
			t.Errorf("platform on %t, WhilePlatformOff %t, %d bytes: status %d, want %d", c.on, c.whileOff, len(c.body), w.Code, c.want)
		}
	}
}

func TestLogLineHasAccountAndApp(t *testing.T) {
	var lines bytes.Buffer
	h := behind(t, &lines, func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/known" {
			ExchangeOf(r.Context()).Caller = Caller{AccountID: "dev_1", AppID: "app_1"}
		}
		if address := grpcx.ClientAddress(r.Context()); address != "192.0.2.1" {
			t.Errorf("calls to the services have the client address %q", address)
		}
	})
	for path, want := range map[string]string{
		"/known": `"client_address":"192.0.2.1","app":"app_1","account":"dev_1"`, "/unknown": `"client_address":"192.0.2.1","app":"","account":""`,
	} {
		lines.Reset()
		r := httptest.NewRequest(http.MethodGet, path, nil)
		r.RemoteAddr = "192.0.2.1:1234"
		h.ServeHTTP(httptest.NewRecorder(), r)
		if !strings.Contains(lines.String(), want) {
			t.Errorf("%s: log line %s", path, lines.String())
		}
	}
}

func TestForgedHeadersAreDropped(t *testing.T) {
	var seen http.Header
	h := behind(t, io.Discard, func(_ http.ResponseWriter, r *http.Request) { seen = r.Header })
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	for _, name := range []string{
		"Grpc-Metadata-Vitae-Principal-Bin", "Grpc-Timeout", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto",
		"Forwarded", "X-Real-Ip", "X-Request-Id",
	} {
		r.Header.Set(name, "forged")
	}
	r.Header.Set("Accept", "kept")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	if len(seen) != 1 || seen.Get("Accept") != "kept" {
		t.Errorf("the handler saw %v", seen)
	}
	if id := w.Header().Get("X-Request-Id"); !strings.HasPrefix(id, "req_") {
		t.Errorf("request id %q", id)
	}
}

func TestPanicReturns500WithoutCause(t *testing.T) {
	var log bytes.Buffer
	h := behind(t, &log, func(http.ResponseWriter, *http.Request) { panic("secret cause") })
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
	if w.Code != 500 || !strings.Contains(w.Body.String(), `"INTERNAL_ERROR"`) || strings.Contains(w.Body.String(), "secret") {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	id := w.Header().Get("X-Request-Id")
	if id == "" || !strings.Contains(log.String(), id) || !strings.Contains(log.String(), "secret cause") {
		t.Errorf("id %q, log %s", id, log.String())
	}
}

func TestPanicAfterFirstByteAborts(t *testing.T) {
	h := behind(t, io.Discard, func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "half")
		panic("later")
	})
	defer func() {
		p := recover()
		if err, _ := p.(error); !errors.Is(err, http.ErrAbortHandler) {
			t.Errorf("recovered %v", p)
		}
	}()
	h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil))
}

func TestLogOmitsQueryPathAndToken(t *testing.T) {
	var log bytes.Buffer
	h := behind(t, &log, func(w http.ResponseWriter, r *http.Request) {
		ExchangeOf(r.Context()).Route = "/v1/cv-links/{token}"
		w.WriteHeader(http.StatusNoContent)
	})
	r := httptest.NewRequest(http.MethodGet, "/v1/cv-links/PATHSECRET?code=QUERYSECRET", nil)
	r.Header.Set("Authorization", "Bearer HEADERSECRET")
	h.ServeHTTP(httptest.NewRecorder(), r)
	line := log.String()
	if strings.Contains(line, "SECRET") {
		t.Errorf("log line: %s", line)
	}
	for _, part := range []string{`"route":"/v1/cv-links/{token}"`, `"status":204`, `"request_id":"req_`, `"duration_ms":`} {
		if !strings.Contains(line, part) {
			t.Errorf("%s is not in %s", part, line)
		}
	}
}

func TestSlowestReturnsLongestTimeout(t *testing.T) {
	routes := []Route{{Timeout: time.Second}, {Timeout: time.Minute}, {Timeout: 2 * time.Second}}
	if got := (Listener{Routes: routes}).Slowest(); got != time.Minute {
		t.Errorf("with routes: %v", got)
	}
	if got := (Listener{Timeout: time.Hour}).Slowest(); got != time.Hour {
		t.Errorf("with a handler: %v", got)
	}
}

func TestUnreadableRequestLogsClientAddress(t *testing.T) {
	for from, want := range map[string]string{"192.0.2.1": "192.0.2.1", "::ffff:192.0.2.1": "192.0.2.1", "2001:db8::1": "2001:db8::1"} {
		var lines bytes.Buffer
		log := slog.New(slog.NewJSONHandler(&lines, nil))
		l := middleware{Config: Config{Log: log}, Listener: Listener{Name: "test", Fail: answer.Errors{Log: log}.Write}}
		answered, err := l.unreadable(400, &net.TCPAddr{IP: net.ParseIP(from), Port: 1234})
		if err != nil || !bytes.HasPrefix(answered, []byte("HTTP/1.1 400 Bad Request\r\n")) {
			t.Fatalf("%q, %v", answered, err)
		}
		if !strings.Contains(lines.String(), `"client_address":"`+want+`","app":"","account":""`) {
			t.Errorf("request from %s: log %s", from, lines.String())
		}
	}
}
