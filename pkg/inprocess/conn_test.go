package inprocess_test

import (
	"context"
	"net"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/status"

	"vitae.internal/pkg/inprocess"
	"vitae.internal/pkg/mtls"
)

// counted counts the handshakes of a server.
type counted struct {
	credentials.TransportCredentials
	handshakes *atomic.Int64
}

func (c counted) ServerHandshake(conn net.Conn) (net.Conn, credentials.AuthInfo, error) {
	c.handshakes.Add(1)
	return c.TransportCredentials.ServerHandshake(conn)
}

// deployment is a process with a part "auth", and certificates for it and for others.
type deployment struct {
	t          *testing.T
	dir        string
	process    *inprocess.Process
	handshakes atomic.Int64
}

func deploy(t *testing.T) *deployment {
	t.Helper()
	d := &deployment{t: t, dir: t.TempDir(), process: inprocess.NewProcess()}
	if err := mtls.Issue(d.dir, "auth", "gateway"); err != nil {
		t.Fatal(err)
	}
	return d
}

func (d *deployment) identity(name string) *mtls.Identity {
	d.t.Helper()
	id, err := mtls.Load(mtls.Files(d.dir, name))
	if err != nil {
		d.t.Fatal(err)
	}
	return id
}

// config is that of a server that believes a caller for so long.
func (d *deployment) config(age time.Duration) inprocess.Config {
	return inprocess.Config{
		Credentials: counted{d.identity("auth").Server(), &d.handshakes}, SessionAge: age, Workers: 4,
		Unary: func(ctx context.Context, req any, _ *grpc.UnaryServerInfo, handle grpc.UnaryHandler) (any, error) {
			return handle(ctx, req)
		},
		Stream: func(srv any, s grpc.ServerStream, _ *grpc.StreamServerInfo, handle grpc.StreamHandler) error {
			return handle(srv, s)
		},
	}
}

// serve starts a server under the name of auth.
func (d *deployment) serve(age time.Duration) (s *inprocess.Server, leave func()) {
	d.t.Helper()
	s, err := inprocess.NewServer(d.config(age))
	if err != nil {
		d.t.Fatal(err)
	}
	grpc_health_v1.RegisterHealthServer(s, health.NewServer())
	leave, err = d.process.Serve("auth", s)
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { s.Stop(context.Background()) })
	return s, leave
}

func ask(ctx context.Context, conn grpc.ClientConnInterface, opts ...grpc.CallOption) codes.Code {
	_, err := grpc_health_v1.NewHealthClient(conn).Check(ctx, &grpc_health_v1.HealthCheckRequest{}, opts...)
	return status.Code(err)
}

func TestACertificateIsCheckedOnceForManyCalls(t *testing.T) {
	d := deploy(t)
	d.serve(time.Hour)
	conn := d.process.Dial("auth", d.identity("gateway").Client("auth"))
	var calls sync.WaitGroup
	for range 20 {
		calls.Go(func() {
			if code := ask(t.Context(), conn); code != codes.OK {
				t.Error(code)
			}
		})
	}
	calls.Wait()
	if n := d.handshakes.Load(); n != 1 {
		t.Errorf("%d handshakes", n)
	}
}

func TestACertificateIsCheckedAgainWhenTheSessionIsOld(t *testing.T) {
	d := deploy(t)
	d.serve(time.Nanosecond)
	conn := d.process.Dial("auth", d.identity("gateway").Client("auth"))
	for range 3 {
		if code := ask(t.Context(), conn); code != codes.OK {
			t.Fatal(code)
		}
	}
	if n := d.handshakes.Load(); n != 3 {
		t.Errorf("%d handshakes of three calls", n)
	}
}

func TestACallerThatTakesThePartForAnotherIsRefused(t *testing.T) {
	d := deploy(t)
	d.serve(time.Hour)
	conn := d.process.Dial("auth", d.identity("gateway").Client("candidate"))
	if code := ask(t.Context(), conn); code != codes.Unavailable {
		t.Error(code)
	}
}

// A refusal stands for a moment, so that calls which come meanwhile cost no handshake each.
func TestARefusedCallerIsNotAskedForItsCertificateInEachCall(t *testing.T) {
	d := deploy(t)
	d.serve(time.Hour)
	d.dir = t.TempDir()
	if err := mtls.Issue(d.dir, "gateway"); err != nil {
		t.Fatal(err)
	}
	conn := d.process.Dial("auth", d.identity("gateway").Client("auth"))
	var calls sync.WaitGroup
	for range 20 {
		calls.Go(func() {
			if code := ask(t.Context(), conn); code != codes.Unavailable {
				t.Error(code)
			}
		})
	}
	calls.Wait()
	if n := d.handshakes.Load(); n > 10 {
		t.Errorf("%d handshakes of twenty calls at once", n)
	}
}

func TestAPartThatHasStartedAgainIsFoundAgain(t *testing.T) {
	d := deploy(t)
	conn := d.process.Dial("auth", d.identity("gateway").Client("auth"))
	if code := ask(t.Context(), conn); code != codes.Unavailable {
		t.Errorf("before the start: %v", code)
	}
	first, leave := d.serve(time.Hour)
	if code := ask(t.Context(), conn); code != codes.OK {
		t.Errorf("while it serves: %v", code)
	}
	first.Stop(t.Context())
	if code := ask(t.Context(), conn); code != codes.Unavailable {
		t.Errorf("stopped: %v", code)
	}
	leave()
	d.serve(time.Hour)
	if code := ask(t.Context(), conn); code != codes.OK {
		t.Errorf("after the second start: %v", code)
	}
}

func TestTwoPartsOfOneNameAreRefused(t *testing.T) {
	d := deploy(t)
	s, _ := d.serve(time.Hour)
	if _, err := d.process.Serve("auth", s); err == nil {
		t.Error("the second one is taken")
	}
}

func TestAClosedConnectionMakesNoCalls(t *testing.T) {
	d := deploy(t)
	d.serve(time.Hour)
	conn := d.process.Dial("auth", d.identity("gateway").Client("auth"))
	if err := conn.Close(); err != nil {
		t.Fatal(err)
	}
	if code := ask(t.Context(), conn); code != codes.Canceled {
		t.Error(code)
	}
	if err := conn.Close(); err == nil {
		t.Error("it is closed twice")
	}
}

func TestAnOptionThatIsNotKnownFailsTheCall(t *testing.T) {
	d := deploy(t)
	d.serve(time.Hour)
	conn := d.process.Dial("auth", d.identity("gateway").Client("auth"))
	if code := ask(t.Context(), conn, grpc.WaitForReady(true)); code != codes.Internal {
		t.Error(code)
	}
	if _, err := grpc_health_v1.NewHealthClient(conn).Watch(t.Context(), &grpc_health_v1.HealthCheckRequest{}, grpc.UseCompressor("gzip")); status.Code(err) != codes.Internal {
		t.Error(err)
	}
}

func TestAServerNeedsAllOfItsConfig(t *testing.T) {
	d := deploy(t)
	for name, spoil := range map[string]func(*inprocess.Config){
		"credentials":        func(c *inprocess.Config) { c.Credentials = nil },
		"unary interceptor":  func(c *inprocess.Config) { c.Unary = nil },
		"stream interceptor": func(c *inprocess.Config) { c.Stream = nil },
		"age":                func(c *inprocess.Config) { c.SessionAge = 0 },
	} {
		c := d.config(time.Hour)
		spoil(&c)
		if _, err := inprocess.NewServer(c); err == nil {
			t.Errorf("it starts without %s", name)
		}
	}
}
