package grpcserver

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/reflect/protoreflect"

	"vitae.internal/pkg/rpcmetrics"
)

// calls count what each caller did. The deployment's authority bounds the names.
var calls = promauto.NewCounterVec(prometheus.CounterOpts{
	Name: "vitae_grpc_calls_total",
	Help: "Calls by the caller's certificate name (a team's is internal/TEAM; empty for a certificate without one) and by code.",
}, []string{"caller", "code"})

// expectCalls has the counters of every method there before its first call.
func expectCalls(s *grpc.Server) error {
	return eachMethod(s, func(name string, m protoreflect.MethodDescriptor) error {
		rpcmetrics.Server.Expect(name, rpcmetrics.KindOf(m.IsStreamingClient(), m.IsStreamingServer()))
		return nil
	})
}
