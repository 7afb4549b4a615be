package daemon_test

import (
	"context"
	"log/slog"
	"net"
	"runtime"
	"testing"

	"google.golang.org/grpc"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/daemon"
	"vitae.internal/pkg/mtls"
)

// service counts calls to Close.
type service struct{ closed int }

func (*service) Register(grpc.ServiceRegistrar) {}
func (*service) Audit() audit.Recorder          { return nil }
func (*service) Ready(context.Context) error    { return nil }
func (s *service) Close(context.Context) error  { s.closed++; return nil }

func TestServiceIsClosedIfItCannotListen(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	s := &service{}
	part := &daemon.Part{
		Name: "candidate", Addr: taken.Addr().String(), Identity: identity(t), Service: s, Log: slog.New(slog.DiscardHandler),
	}
	if err := part.Serve(t.Context()); err == nil || s.closed != 1 {
		t.Errorf("got %v, closed %d times", err, s.closed)
	}
}

func TestNotReadyBeforeListening(t *testing.T) {
	part := &daemon.Part{
		Name: "candidate", Addr: "127.0.0.1:0", Identity: identity(t), Service: &service{}, Log: slog.New(slog.DiscardHandler),
	}
	if err := part.Ready(t.Context()); err == nil {
		t.Error("Ready returned nil before clients can connect")
	}
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- part.Serve(ctx) }()
	for part.Ready(t.Context()) != nil {
		runtime.Gosched()
	}
	stop()
	if err := <-served; err != nil {
		t.Error(err)
	}
}

func identity(t *testing.T) *mtls.Identity {
	t.Helper()
	dir := t.TempDir()
	if err := mtls.Issue(dir, "candidate"); err != nil {
		t.Fatal(err)
	}
	id, err := mtls.Load(mtls.Files(dir, "candidate"))
	if err != nil {
		t.Fatal(err)
	}
	return id
}
