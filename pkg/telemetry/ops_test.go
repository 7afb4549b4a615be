package telemetry_test

import (
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"vitae.internal/pkg/config"
	"vitae.internal/pkg/telemetry"
)

func TestProfilesAreLoopbackOnlyByDefault(t *testing.T) {
	ready := func(context.Context) error { return nil }
	for setting, want := range map[string]map[string]int{
		"":         {"127.0.0.1:5": 200, "[::1]:5": 200, "[::ffff:127.0.0.1]:5": 200, "10.0.0.7:5": 404, "[fe80::1]:5": 404, "": 404},
		"loopback": {"127.0.0.1:5": 200, "10.0.0.7:5": 404},
		"anywhere": {"127.0.0.1:5": 200, "10.0.0.7:5": 200},
	} {
		env := config.Environment{}
		if setting != "" {
			env["VITAE_PPROF"] = setting
		}
		c, err := config.Load[telemetry.OpsConfig](env)
		if err != nil {
			t.Fatal(err)
		}
		h := telemetry.OpsHandler(c.Profiles, slog.New(slog.DiscardHandler), ready)
		for from, status := range want {
			for path, status := range map[string]int{"/debug/pprof/": status, "/debug/pprof/goroutine": status, "/debug/pprof/symbol": status, "/healthz": 200} {
				r := httptest.NewRequest(http.MethodGet, path, nil)
				r.RemoteAddr = from
				w := httptest.NewRecorder()
				h.ServeHTTP(w, r)
				if w.Code != status {
					t.Errorf("%q: %s from %s: %d, want %d", setting, path, from, w.Code, status)
				}
			}
		}
	}
	if _, err := config.Load[telemetry.OpsConfig](config.Environment{"VITAE_PPROF": "on"}); err == nil {
		t.Error("an invalid value was accepted")
	}
}
