package chain

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/pkg/grpcx"
)

// noUsage ignores all requests.
type noUsage struct{}

func (noUsage) Record(Record) {}

// behind wraps a handler in the chain of a door.
func behind(t *testing.T, logTo io.Writer, h http.HandlerFunc, memory ...*Memory) http.Handler {
	t.Helper()
	log := slog.New(slog.NewJSONHandler(logTo, nil))
	cfg := Config{Log: log, Usage: noUsage{}, PlatformOn: true, MaxInFlight: 10}
	if len(memory) > 0 {
		cfg.Memory = memory[0]
	}
	built, err := New(cfg, Door{Name: "test", Headers: DataHeaders(), Fail: answer.Errors{Log: log}.Write, Handler: h, Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	return built
}

// A body whose length is given too small leaves its rest, here a secret, as the next
// method.
func TestAMethodThatHTTPDoesNotKnowIsNotLogged(t *testing.T) {
	for method, want := range map[string]string{"GET": `"method":"GET"`, "PATCH": `"method":"PATCH"`, "svc_cs_secretPOST": `"method":"_OTHER"`} {
		var log bytes.Buffer
		h := behind(t, &log, func(http.ResponseWriter, *http.Request) {})
		h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(method, "/", nil))
		if !strings.Contains(log.String(), want) || strings.Contains(log.String(), "secret") {
			t.Errorf("%s: %s", method, log.String())
		}
	}
}

func TestADoorIsClosedWithThePlatformUnlessItSaysOtherwise(t *testing.T) {
	log := slog.New(slog.DiscardHandler)
	for stays, want := range map[bool]int{false: http.StatusNotFound, true: http.StatusOK} {
		h, err := New(Config{Log: log, Usage: noUsage{}, MaxInFlight: 10}, Door{
			Name: "test", Fail: answer.Errors{Log: log}.Write, WhilePlatformOff: stays, Timeout: time.Minute,
			Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}),
		})
		if err != nil {
			t.Fatal(err)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
		if w.Code != want {
			t.Errorf("open while the platform is off %t: status %d, want %d", stays, w.Code, want)
		}
	}
}

// The platform comes before the size of the body (behaviour: errors#order-of-checks).
func TestAClosedDoorDoesNotLookAtTheSizeOfABody(t *testing.T) {
	log := slog.New(slog.DiscardHandler)
	for on, want := range map[bool]int{false: http.StatusNotFound, true: http.StatusRequestEntityTooLarge} {
		h, err := New(Config{Log: log, Usage: noUsage{}, MaxInFlight: 10, PlatformOn: on}, Door{
			Name: "test", Fail: answer.Errors{Log: log}.Write, Timeout: time.Minute,
			Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}),
		})
		if err != nil {
			t.Fatal(err)
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/", strings.NewReader(strings.Repeat("x", MaxBody+1))))
		if w.Code != want {
			t.Errorf("the platform is on %t: status %d, want %d", on, w.Code, want)
		}
	}
}

func TestALineOfTheLogSaysWhoseRequestItWas(t *testing.T) {
	var lines bytes.Buffer
	h := behind(t, &lines, func(_ http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/known" {
			ExchangeOf(r.Context()).Caller = Caller{AccountID: "dev_1", AppID: "app_1"}
		}
		if address := grpcx.ClientAddress(r.Context()); address != "192.0.2.1" {
			t.Errorf("calls to the parts name the client %q", address)
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
			t.Errorf("%s: the line is %s", path, lines.String())
		}
	}
}

func TestForgedHeadersNeverReachAHandler(t *testing.T) {
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

func TestAPanicIsAnEnvelopeAndSaysNothing(t *testing.T) {
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

func TestAPanicAfterTheFirstByteCutsTheConnection(t *testing.T) {
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

func TestTheLogHoldsNoQueryNoPathAndNoToken(t *testing.T) {
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
		t.Error(line)
	}
	for _, part := range []string{`"route":"/v1/cv-links/{token}"`, `"status":204`, `"request_id":"req_`, `"duration_ms":`} {
		if !strings.Contains(line, part) {
			t.Errorf("%s is not in %s", part, line)
		}
	}
}

func TestTheSlowestOfADoorIsItsHandlerOrItsSlowestRoute(t *testing.T) {
	routes := []Route{{Timeout: time.Second}, {Timeout: time.Minute}, {Timeout: 2 * time.Second}}
	if got := (Door{Routes: routes}).Slowest(); got != time.Minute {
		t.Errorf("of routes: %v", got)
	}
	if got := (Door{Timeout: time.Hour}).Slowest(); got != time.Hour {
		t.Errorf("of a handler: %v", got)
	}
}
