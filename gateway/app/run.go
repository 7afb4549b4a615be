package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"golang.org/x/sync/errgroup"

	"vitae.internal/gateway/internal/connections"
)

const (
	readHeaderTimeout = 5 * time.Second
	readTimeout       = 15 * time.Second
	idleTimeout       = 2 * time.Minute
	maxHeaderBytes    = 64 << 10
	// drainTimeout limits how long in-flight requests may continue after the signal to stop.
	drainTimeout = 20 * time.Second
	// clientReadTimeout limits how long a client may take to read the end of a response.
	clientReadTimeout = time.Minute
)

// Run serves all listeners until ctx is done and Config.DrainPause has elapsed. It then waits for in-flight
// requests to finish. Once ctx is done, Ready returns an error.
func (g *Gateway) Run(ctx context.Context) error {
	serving, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	defer context.AfterFunc(ctx, func() {
		g.leaving.Store(true)
		time.AfterFunc(g.cfg.DrainPause, stop)
	})()
	sockets, err := g.listen()
	if err != nil {
		return err
	}
	g.listens.Store(true)
	group, ctx := errgroup.WithContext(serving)
	for i, one := range g.listeners {
		g.log.Info("serving HTTP", "listener", one.name, "addr", sockets[i].Addr().String())
		group.Go(func() error {
			return one.serve(ctx, connections.New(sockets[i], g.cfg.MaxConnections, g.cfg.TrustedProxies.Trusts), g.log)
		})
	}
	return group.Wait()
}

// listen opens the sockets of all listeners. If one fails, it closes the others.
func (g *Gateway) listen() (opened []net.Listener, err error) {
	for _, one := range g.listeners {
		l, err := net.Listen("tcp", one.addr)
		if err != nil {
			for _, l := range opened {
				_ = l.Close()
			}
			return nil, fmt.Errorf("gateway: %s: listen: %w", one.name, err)
		}
		opened = append(opened, l)
	}
	return opened, nil
}

func (b built) serve(ctx context.Context, limited *connections.Limit, log *slog.Logger) error {
	server := &http.Server{
		Handler:           b.handler,
		ReadHeaderTimeout: readHeaderTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      readTimeout + b.slowest + clientReadTimeout, // starts when the request header has been read
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		// This way, OPTIONS * gets a log line and a request id like every other request.
		DisableGeneralOptionsHandler: true,
		ErrorLog:                     slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	l := b.readable(server, limited)
	limited.Watch(server)
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
