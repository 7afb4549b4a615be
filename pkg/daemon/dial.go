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

// Dial makes the connection of a part to the part named service at target, as
// grpcx.Dial does, and adds what a process that stays needs: calls fail at once while
// the other part does not answer, they are counted, and traces go on there.
func Dial(target, service string, identity *mtls.Identity, log *slog.Logger) (*grpc.ClientConn, error) {
	expectCalls(service, identity)
	return grpcx.Dial(target, service, identity,
		grpcx.WithBreaker(breaker.New(service, log)), grpcx.WithStats(telemetry.ClientTraces()),
		grpcx.WithInterceptors(rpcmetrics.Client.UnaryClient, rpcmetrics.Client.StreamClient))
}
