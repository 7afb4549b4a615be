package telemetry

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// OpsHandler serves /metrics, /healthz (the process runs), /readyz (it can do its
// work; otherwise 503, and the reason is in the log) and /debug/pprof.
func OpsHandler(log *slog.Logger, ready func(context.Context) error) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.Handler())
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintln(w, "ok")
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), 3*time.Second)
		defer cancel()
		if err := ready(ctx); err != nil {
			log.WarnContext(ctx, "not ready", "error", err)
			http.Error(w, "not ready", http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(w, "ready")
	})
	mux.HandleFunc("GET /debug/pprof/", pprof.Index)
	mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("GET /debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("GET /debug/pprof/trace", pprof.Trace)
	return mux
}

// ServeOps serves OpsHandler on addr until the returned function is called. An
// empty addr serves nothing.
func ServeOps(addr string, log *slog.Logger, ready func(context.Context) error) (stop func(), err error) {
	if addr == "" {
		return func() {}, nil
	}
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("telemetry: listen: %w", err)
	}
	server := &http.Server{Handler: OpsHandler(log, ready), ReadHeaderTimeout: 5 * time.Second}
	go func() {
		if err := server.Serve(l); err != http.ErrServerClosed {
			log.Error("operations endpoints stopped", "error", err)
		}
	}()
	return func() { _ = server.Close() }, nil
}
