package grpcserver_test

import (
	"context"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/health/grpc_health_v1"

	"vitae.internal/pkg/breaker"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/grpcx"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// frozen is a service that responds only if let is set.
type frozen struct {
	candidatev1.UnimplementedMeServiceServer
	calls   atomic.Int64
	let     atomic.Bool
	entered chan struct{}
}

func (f *frozen) GetMe(ctx context.Context, _ *candidatev1.GetMeRequest) (*candidatev1.GetMeResponse, error) {
	f.calls.Add(1)
	if f.let.Load() {
		return &candidatev1.GetMeResponse{}, nil
	}
	select {
	case f.entered <- struct{}{}:
	default:
	}
	<-ctx.Done()
	return nil, ctx.Err()
}

func (f *frozen) register(r grpc.ServiceRegistrar) { candidatev1.RegisterMeServiceServer(r, f) }

func TestBreakerStopsCallsToSilentService(t *testing.T) {
	f := &frozen{}
	dial := start(t, f)
	conn := dial("gateway", grpcx.WithBreaker(breaker.New("candidate", slog.New(slog.DiscardHandler))))
	me := candidatev1.NewMeServiceClient(conn)
	call := func() error {
		ctx, cancel := context.WithTimeout(t.Context(), 400*time.Millisecond)
		defer cancel()
		_, err := me.GetMe(asReader(ctx), &candidatev1.GetMeRequest{})
		return err
	}
	// The loop ends when calls no longer reach the service.
	for before := int64(-1); before != f.calls.Load(); {
		before = f.calls.Load()
		if err := call(); errs.KindOf(err) != errs.Unavailable {
			t.Fatalf("got %v, want unavailable", err)
		}
		if before > 100 {
			t.Fatal("the breaker never opens")
		}
	}
	f.let.Store(true)
	deadline, next := time.After(5*time.Second), time.NewTicker(20*time.Millisecond)
	defer next.Stop()
	for call() != nil { // calls fail until the next probe
		select {
		case <-next.C:
		case <-deadline:
			t.Fatal("the breaker never closes")
		}
	}
	if err := call(); err != nil {
		t.Errorf("after a response: %v", err)
	}
}

// Only gRPC's own retry is enabled, for calls that never reached a handler.
func TestStartedCallIsNotRetried(t *testing.T) {
	f := &frozen{entered: make(chan struct{}, 1)}
	s := serve(t, f)
	got := make(chan error, 1)
	go func() {
		_, err := candidatev1.NewMeServiceClient(s.dial("gateway")).GetMe(asReader(t.Context()), &candidatev1.GetMeRequest{})
		got <- err
	}()
	<-f.entered
	s.cut()
	if err := <-got; errs.KindOf(err) != errs.Unavailable {
		t.Errorf("got %v, want unavailable", err)
	}
	if n := f.calls.Load(); n != 1 {
		t.Errorf("the handler ran %d times", n)
	}
}

func TestStopWaitsForInFlightCalls(t *testing.T) {
	f := &slow{entered: make(chan struct{}), let: make(chan struct{})}
	s := serve(t, f)
	got := make(chan error, 1)
	go func() {
		_, err := candidatev1.NewMeServiceClient(s.dial("gateway")).GetMe(asReader(patient(t)), &candidatev1.GetMeRequest{})
		got <- err
	}()
	<-f.entered
	stopped := make(chan struct{})
	go func() { s.server.Stop(context.Background()); close(stopped) }()
	for later := error(nil); later == nil; { // until the server rejects new calls
		_, later = grpc_health_v1.NewHealthClient(s.dial("cvrender")).Check(patient(t), &grpc_health_v1.HealthCheckRequest{})
	}
	close(f.let)
	if err := <-got; err != nil {
		t.Errorf("the running call failed: %v", err)
	}
	<-stopped
}

// slow is a service whose handler waits until let is closed.
type slow struct {
	candidatev1.UnimplementedMeServiceServer
	entered, let chan struct{}
}

func (s *slow) GetMe(context.Context, *candidatev1.GetMeRequest) (*candidatev1.GetMeResponse, error) {
	close(s.entered)
	<-s.let
	return &candidatev1.GetMeResponse{}, nil
}

func (s *slow) register(r grpc.ServiceRegistrar) { candidatev1.RegisterMeServiceServer(r, s) }
