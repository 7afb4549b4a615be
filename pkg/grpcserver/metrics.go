package grpcserver

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/reflect/protoreflect"

	"vitae.internal/pkg/rpcmetrics"
)

// calls counts the calls of each caller. The number of label values is limited, because names are
// created only by the deployment's certificate authority.
var calls = promauto.NewCounterVec(prometheus.CounterOpts{
	Name: "vitae_grpc_calls_total",
	Help: "Number of calls, by the name in the caller's certificate (internal/TEAM for a team, empty without a certificate) and by code.",
}, []string{"caller", "code"})

// expectCalls creates the counters of every method before its first call.
func expectCalls(s *grpc.Server) error {
	return eachMethod(s, func(name string, m protoreflect.MethodDescriptor) error {
		rpcmetrics.Server.Expect(name, rpcmetrics.KindOf(m.IsStreamingClient(), m.IsStreamingServer()))
		return nil
	})
}
