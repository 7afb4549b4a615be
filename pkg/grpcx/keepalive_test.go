package grpcx_test

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/keepalive"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/grpcserver"
	"vitae.internal/pkg/grpcserver/servertest"
	"vitae.internal/pkg/grpcx"
)

// wire is one end of an in-memory connection. After it is cut, written data is lost, and the other
// end does not notice that this end closes, as if a machine had lost power.
type wire struct {
	net.Conn
	cut    *atomic.Bool
	closed chan struct{}
	once   sync.Once
}

func (w *wire) Write(b []byte) (int, error) {
	if w.cut.Load() {
		return len(b), nil
	}
	return w.Conn.Write(b)
}

func (w *wire) Close() error {
	w.once.Do(func() { close(w.closed) })
	if w.cut.Load() {
		return w.SetDeadline(time.Unix(1, 0))
	}
	return w.Conn.Close()
}

// network connects a caller to a service, using the fake clock of the test's synctest bubble.
type network struct {
	*testing.T
	conn *grpc.ClientConn
	// made receives the service's end of each new connection. last is the newest one.
	made chan *wire
	last atomic.Pointer[wire]
	// cut cuts all connections.
	cut atomic.Bool
	// dials is the number of attempts to connect. If hinder is not nil, it is called for each
	// attempt and can make it fail.
	dials  atomic.Int32
	hinder func(ctx context.Context, attempt int32) error
	ended  chan struct{}
}

func (n *network) Accept() (net.Conn, error) {
	select {
	case w := <-n.made:
		return w, nil
	case <-n.ended:
		return nil, net.ErrClosed
	}
}

func (n *network) Close() error {
	close(n.ended)
	return nil
}

func (n *network) Addr() net.Addr { return &net.UnixAddr{Name: "memory", Net: "unix"} }

func (n *network) dial(ctx context.Context, _ string) (net.Conn, error) {
	attempt := n.dials.Add(1)
	if n.hinder != nil {
		if err := n.hinder(ctx, attempt); err != nil {
			return nil, err
		}
	}
	near, far := net.Pipe()
	n.last.Store(&wire{Conn: far, cut: &n.cut, closed: make(chan struct{})})
	n.made <- n.last.Load()
	return &wire{Conn: near, cut: &n.cut, closed: make(chan struct{})}, nil
}

// connected runs a test with a service and a caller that have the same configuration as in
// production.
func connected(t *testing.T, run func(*network), more ...grpc.DialOption) {
	synctest.Test(t, func(t *testing.T) {
		n := &network{T: t, made: make(chan *wire), ended: make(chan struct{})}
		dir := servertest.Certificates(t, "auth", "gateway")
		server, err := grpcserver.New(servertest.Identity(t, dir, "auth"), slog.New(slog.DiscardHandler), func(grpc.ServiceRegistrar) {})
		if err != nil {
			t.Fatal(err)
		}
		served := make(chan error, 1)
		go func() { served <- server.Serve(n) }()
		if n.conn, err = grpcx.DialOver(n.dial, "auth", servertest.Identity(t, dir, "gateway"), more...); err != nil {
			t.Fatal(err)
		}
		run(n)
		if err := n.conn.Close(); err != nil {
			t.Error(err)
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		server.Stop(ctx)
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
}

// watch opens a stream that stays open for d.
func (n *network) watch(d time.Duration) grpc.ServerStreamingClient[grpc_health_v1.HealthCheckResponse] {
	n.Helper()
	ctx, cancel := context.WithTimeout(n.Context(), d)
	n.Cleanup(cancel)
	stream, err := grpc_health_v1.NewHealthClient(n.conn).Watch(ctx, &grpc_health_v1.HealthCheckRequest{})
	if err != nil {
		n.Fatal(err)
	}
	if _, err := stream.Recv(); err != nil {
		n.Fatal(err)
	}
	return stream
}

func (n *network) check() error {
	_, err := grpc_health_v1.NewHealthClient(n.conn).Check(n.Context(), &grpc_health_v1.HealthCheckRequest{})
	return err
}

// A service closes the connections of callers that ping too often.
func TestServiceAllowsCallersPings(t *testing.T) {
	connected(t, func(n *network) {
		stream, began := n.watch(100*time.Second), time.Now()
		if _, err := stream.Recv(); time.Since(began) < 99*time.Second || n.dials.Load() != 1 {
			n.Errorf("%d connections, the stream ended after %v: %v", n.dials.Load(), time.Since(began), err)
		}
	})
}

// Clients in other languages send pings to keep connections open through firewalls.
func TestIdleCallerMayPing(t *testing.T) {
	idle := keepalive.ClientParameters{Time: 15 * time.Second, Timeout: 5 * time.Second, PermitWithoutStream: true}
	connected(t, func(n *network) {
		if err := n.check(); err != nil {
			n.Fatal(err)
		}
		time.Sleep(100 * time.Second)
		if err := n.check(); err != nil || n.dials.Load() != 1 {
			n.Errorf("%d connections, %v", n.dials.Load(), err)
		}
	}, grpc.WithKeepaliveParams(idle))
}

func TestCallToVanishedServiceFailsIn20s(t *testing.T) {
	connected(t, func(n *network) {
		stream, began := n.watch(time.Minute), time.Now()
		n.cut.Store(true)
		if _, err := stream.Recv(); errs.KindOf(err) != errs.Unavailable || time.Since(began) > 20*time.Second {
			n.Errorf("after %v: %v", time.Since(began), err)
		}
	})
}

func TestVanishedCallerIsDroppedIn40s(t *testing.T) {
	connected(t, func(n *network) {
		n.watch(time.Hour)
		n.cut.Store(true)
		began := time.Now()
		<-n.last.Load().closed
		if took := time.Since(began); took > 40*time.Second {
			n.Errorf("the service closed the connection after %v, want at most 40s", took)
		}
	})
}

// After two minutes, callers resolve the name again and find new replicas.
func TestConnectionIsClosedAfterTwoMinutes(t *testing.T) {
	connected(t, func(n *network) {
		if err := n.check(); err != nil {
			n.Fatal(err)
		}
		time.Sleep(107 * time.Second)
		if n.dials.Load() != 1 {
			n.Errorf("%d connections before two minutes", n.dials.Load())
		}
		time.Sleep(26 * time.Second)
		if err := n.check(); err != nil || n.dials.Load() != 2 {
			n.Errorf("%d connections after two minutes, %v", n.dials.Load(), err)
		}
	})
}

func TestRestartedServiceIsFoundImmediately(t *testing.T) {
	connected(t, func(n *network) {
		away := errors.New("away")
		n.hinder = func(_ context.Context, attempt int32) error {
			if attempt == 1 {
				return away
			}
			return nil
		}
		if err := n.check(); errs.KindOf(err) != errs.Unavailable {
			n.Errorf("while the service is down: %v", err)
		}
		time.Sleep(130 * time.Millisecond)
		if err := n.check(); err != nil {
			n.Errorf("after the service has started: %v", err)
		}
	})
}

func TestUnresponsiveAddressFailsCallIn2s(t *testing.T) {
	connected(t, func(n *network) {
		n.hinder = func(ctx context.Context, _ int32) error {
			<-ctx.Done()
			return ctx.Err()
		}
		began := time.Now()
		if err := n.check(); errs.KindOf(err) != errs.Unavailable || time.Since(began) > 2*time.Second {
			n.Errorf("after %v: %v", time.Since(began), err)
		}
	})
}
