package grpcserver_test

import (
	"context"
	"sync/atomic"
	"testing"

	"google.golang.org/grpc/stats"

	"vitae.internal/pkg/grpcx"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// tracer counts the calls that it is told of.
type tracer struct {
	stats.Handler
	calls atomic.Int32
}

func (*tracer) TagConn(ctx context.Context, _ *stats.ConnTagInfo) context.Context { return ctx }
func (*tracer) HandleConn(context.Context, stats.ConnStats)                       {}
func (*tracer) HandleRPC(context.Context, stats.RPCStats)                         {}
func (c *tracer) TagRPC(ctx context.Context, _ *stats.RPCTagInfo) context.Context {
	c.calls.Add(1)
	return ctx
}

func TestTracesSeeEveryCall(t *testing.T) {
	f, traces := &frozen{}, &tracer{}
	f.let.Store(true)
	me := candidatev1.NewMeServiceClient(start(t, f)("gateway", grpcx.WithStats(traces)))
	for range 2 {
		if _, err := me.GetMe(asReader(patient(t)), &candidatev1.GetMeRequest{}); err != nil {
			t.Fatal(err)
		}
	}
	if n := traces.calls.Load(); n != 2 {
		t.Errorf("%d calls were seen, want 2", n)
	}
}
