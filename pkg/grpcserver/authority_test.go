package grpcserver_test

import (
	"context"
	"io"
	"log/slog"
	"net"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"

	"vitae.internal/pkg/grpcserver"
	"vitae.internal/pkg/grpcx"
	"vitae.internal/pkg/mtls"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// forgetful is a service without state, so that many calls can run concurrently.
type forgetful struct {
	candidatev1.UnimplementedMeServiceServer
}

func (forgetful) GetMe(context.Context, *candidatev1.GetMeRequest) (*candidatev1.GetMeResponse, error) {
	return &candidatev1.GetMeResponse{}, nil
}

// drill is a deployment with a server and a caller, whose files are replaced under load.
type drill struct {
	t        *testing.T
	files    map[string]mtls.Config
	target   string
	calls    atomic.Int64
	stopping atomic.Bool
	running  sync.WaitGroup
}

func (d *drill) must(err error) {
	d.t.Helper()
	if err != nil {
		d.t.Fatal(err)
	}
}

func (d *drill) identity(name string) *mtls.Identity {
	d.t.Helper()
	files := d.files[name]
	files.Refresh = time.Nanosecond
	identity, err := mtls.Load(files)
	d.must(err)
	return identity
}

// install copies the files in dir to a separate folder for each name.
func (d *drill) install(dir string, names ...string) {
	d.t.Helper()
	for _, name := range names {
		from, to := mtls.Files(dir, name), mtls.Files(d.t.TempDir(), name)
		d.write(to.CAFile, d.read(from.CAFile))
		d.write(to.KeyFile, d.read(from.KeyFile))
		d.write(to.CertFile, d.read(from.CertFile))
		d.files[name] = to
	}
}

func newDrill(t *testing.T) *drill {
	d, dir := &drill{t: t, files: map[string]mtls.Config{}}, t.TempDir()
	d.must(mtls.Issue(dir, "candidate", "gateway"))
	d.install(dir, "candidate", "gateway")
	server, err := grpcserver.New(d.identity("candidate"), slog.New(slog.NewTextHandler(io.Discard, nil)), func(r grpc.ServiceRegistrar) {
		candidatev1.RegisterMeServiceServer(r, forgetful{})
	})
	d.must(err)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	d.must(err)
	d.target = l.Addr().String()
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()
	t.Cleanup(func() {
		server.Stop(context.Background())
		d.must(<-served)
	})
	return d
}

// run calls continuously, over one connection or over a new connection for each call.
func (d *drill) run(caller *mtls.Identity, stays bool) {
	call := func() error { return d.once(caller) }
	if stays {
		conn, err := grpcx.Dial(d.target, "candidate", caller)
		if err != nil {
			d.t.Error(err)
			return
		}
		defer conn.Close()
		call = func() error { return ask(d.t.Context(), conn) }
	}
	for !d.stopping.Load() {
		if err := call(); err != nil {
			d.t.Errorf("a call failed: %v", err)
			return
		}
		d.calls.Add(1)
	}
}

// busy waits until there were calls with the current files.
func (d *drill) busy() {
	d.t.Helper()
	for until := d.calls.Load() + 30; d.calls.Load() < until; time.Sleep(time.Millisecond) {
		if d.t.Failed() {
			d.t.FailNow()
		}
	}
}

func (d *drill) read(file string) []byte {
	d.t.Helper()
	b, err := os.ReadFile(file)
	d.must(err)
	return b
}

func (d *drill) write(file string, b []byte) {
	d.t.Helper()
	d.must(os.WriteFile(file, b, 0o600))
}

// unrenewed is a caller that keeps the original certificate and trusts the authorities.
func (d *drill) unrenewed(authorities []byte) *mtls.Identity {
	d.t.Helper()
	files := d.files["gateway"]
	kept := mtls.Files(d.t.TempDir(), "gateway")
	d.write(kept.KeyFile, d.read(files.KeyFile))
	d.write(kept.CertFile, d.read(files.CertFile))
	d.write(kept.CAFile, authorities)
	identity, err := mtls.Load(kept)
	d.must(err)
	return identity
}

// once makes a call over a new connection.
func (d *drill) once(caller *mtls.Identity) error {
	conn, err := grpcx.Dial(d.target, "candidate", caller)
	if err != nil {
		return err
	}
	defer conn.Close()
	return ask(d.t.Context(), conn)
}

func ask(ctx context.Context, conn *grpc.ClientConn) error {
	_, err := candidatev1.NewMeServiceClient(conn).GetMe(asReader(ctx), &candidatev1.GetMeRequest{})
	return err
}

// The steps are those in docs/operations.md, "Certificates".
func TestAuthorityIsReplacedWithoutLostCalls(t *testing.T) {
	d := newDrill(t)
	for _, stays := range []bool{true, false, true, false} {
		caller := d.identity("gateway")
		d.running.Go(func() { d.run(caller, stays) })
	}
	next := t.TempDir()
	d.must(mtls.Issue(next, "candidate", "gateway"))
	old, renewed := d.read(d.files["candidate"].CAFile), d.read(next+"/ca.pem")
	both := slices.Concat(old, renewed)
	unrenewed := d.unrenewed(both)
	d.busy()

	trust := func(authorities []byte) {
		for _, name := range []string{"candidate", "gateway"} { // one after the other, as in a deployment
			d.write(d.files[name].CAFile, authorities)
			d.busy()
		}
	}
	trust(both)
	for _, name := range []string{"gateway", "candidate"} {
		from, to := mtls.Files(next, name), d.files[name]
		d.write(to.KeyFile, d.read(from.KeyFile)) // does not match the certificate for a short time
		d.busy()
		d.write(to.CertFile, d.read(from.CertFile))
		d.busy()
	}
	if err := d.once(unrenewed); err != nil {
		t.Errorf("a caller that is not renewed yet: %v", err)
	}
	trust(renewed)
	d.stopping.Store(true)
	d.running.Wait()
	if err := d.once(unrenewed); err == nil {
		t.Error("a caller of the removed authority was accepted")
	}
	t.Logf("%d calls", d.calls.Load())
}

func (f forgetful) register(r grpc.ServiceRegistrar) { candidatev1.RegisterMeServiceServer(r, f) }
