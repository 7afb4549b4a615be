package telemetry

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"net/netip"
	"time"

	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// OpsConfig configures the operations endpoints of a process.
type OpsConfig struct {
	Addr     string   `env:"VITAE_OPS_ADDR" help:"Address for /metrics, /healthz, /readyz and /debug/pprof. Unset: not served."`
	Profiles Profiles `env:"VITAE_PPROF" envDefault:"loopback" help:"Clients that may read profiles: loopback (the same machine) or anywhere."`
}

// Profiles specifies the clients that may read profiles: "loopback" (processes on the same machine,
// including a shell in the container) or "anywhere". Profiles reveal memory contents and cost CPU time.
type Profiles string

// UnmarshalText parses a Profiles value. It returns an error for any other value.
func (p *Profiles) UnmarshalText(text []byte) error {
	switch value := Profiles(text); value {
	case profilesLoopback, profilesAnywhere:
		*p = value
		return nil
	default:
		return fmt.Errorf("%q is neither loopback nor anywhere", text)
	}
}

const (
	profilesLoopback Profiles = "loopback"
	profilesAnywhere Profiles = "anywhere"
)

// OpsHandler serves /metrics, /healthz, /readyz and /debug/pprof. /healthz succeeds while the process
// runs. /readyz returns 503 if ready returns an error, which is logged.
func OpsHandler(profiles Profiles, log *slog.Logger, ready func(context.Context) error) http.Handler {
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
	for path, serve := range map[string]http.HandlerFunc{
		"": pprof.Index, "profile": pprof.Profile, "symbol": pprof.Symbol, "trace": pprof.Trace,
	} {
		mux.Handle("GET /debug/pprof/"+path, profiles.guard(serve))
	}
	return mux
}

// guard returns 404 to clients that may not read profiles.
func (p Profiles) guard(next http.Handler) http.Handler {
	if p == profilesAnywhere {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		peer, err := netip.ParseAddrPort(r.RemoteAddr)
		if err != nil || !peer.Addr().Unmap().IsLoopback() {
			http.NotFound(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// ServeOps serves OpsHandler until the returned function is called. It does nothing if no address is
// configured.
func ServeOps(c OpsConfig, log *slog.Logger, ready func(context.Context) error) (stop func(), err error) {
	if c.Addr == "" {
		return func() {}, nil
	}
	l, err := net.Listen("tcp", c.Addr)
	if err != nil {
		return nil, fmt.Errorf("telemetry: listen: %w", err)
	}
	server := &http.Server{Handler: OpsHandler(c.Profiles, log, ready), ReadHeaderTimeout: 5 * time.Second}
	go func() {
		if err := server.Serve(l); err != http.ErrServerClosed {
			log.Error("operations endpoints stopped", "error", err)
		}
	}()
	return func() { _ = server.Close() }, nil
}
