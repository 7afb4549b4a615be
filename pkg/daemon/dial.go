package daemon

import (
	"log/slog"

	"google.golang.org/grpc"

	"vitae.internal/pkg/breaker"
	"vitae.internal/pkg/grpcx"
	"vitae.internal/pkg/mtls"
	"vitae.internal/pkg/rpcmetrics"
	"vitae.internal/pkg/telemetry"
)

// Dial connects to a service like grpcx.Dial. It adds a circuit breaker, metrics and traces, which
// long-running processes need.
func Dial(target, service string, identity *mtls.Identity, log *slog.Logger) (*grpc.ClientConn, error) {
	expectCalls(service, identity)
	return grpcx.Dial(target, service, identity,
		grpcx.WithBreaker(breaker.New(service, log)), grpcx.WithStats(telemetry.ClientTraces()),
		grpcx.WithInterceptors(rpcmetrics.Client.UnaryClient, rpcmetrics.Client.StreamClient))
}
