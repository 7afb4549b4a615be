package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"golang.org/x/net/netutil"
	"golang.org/x/sync/errgroup"

	"vitae.internal/gateway/internal/api"
)

// Time limits of the listeners. A client has little time to send a request; the time
// to read the answer covers the slowest route.
const (
	readHeaderTimeout = 5 * time.Second
	readTimeout       = 15 * time.Second
	writeTimeout      = readTimeout + api.Slowest + 15*time.Second
	idleTimeout       = 2 * time.Minute
	maxHeaderBytes    = 64 << 10
	// drainTimeout is how long running requests may take after the signal to stop.
	drainTimeout = 20 * time.Second
)

// Run serves all listeners until ctx ends, then lets running requests finish.
func (g *Gateway) Run(ctx context.Context) error {
	group, ctx := errgroup.WithContext(ctx)
	for _, one := range g.listeners {
		group.Go(func() error {
			l, err := net.Listen("tcp", one.addr)
			if err != nil {
				return fmt.Errorf("gateway: %s: listen: %w", one.name, err)
			}
			g.log.Info("serving HTTP", "listener", one.name, "addr", l.Addr().String())
			return serve(ctx, one.readable(netutil.LimitListener(l, g.cfg.MaxConnections)), one.handler, g.log)
		})
	}
	return group.Wait()
}

func serve(ctx context.Context, l net.Listener, h http.Handler, log *slog.Logger) error {
	server := &http.Server{
		Handler:           h,
		ReadHeaderTimeout: readHeaderTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		// OPTIONS * is logged and has a request id, like every other request.
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()
	select {
	case err := <-served:
		return fmt.Errorf("gateway: serve: %w", err)
	case <-ctx.Done():
	}
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTimeout)
	defer cancel()
	err := server.Shutdown(drain)
	if err != nil {
		err = errors.Join(fmt.Errorf("gateway: drain: %w", err), server.Close())
	}
	if ended := <-served; !errors.Is(ended, http.ErrServerClosed) {
		err = errors.Join(err, ended)
	}
	return err
}
