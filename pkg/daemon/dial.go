package daemon

import (
	"log/slog"

	"vitae.internal/pkg/breaker"
	"vitae.internal/pkg/grpcx"
	"vitae.internal/pkg/inprocess"
	"vitae.internal/pkg/mtls"
	"vitae.internal/pkg/rpcmetrics"
	"vitae.internal/pkg/telemetry"
)

// Option chooses something of the connections of a part.
type Option func(*dialing)

type dialing struct{ process *inprocess.Process }

// Within has a part reach the others in p, which run in the same process, and not over the
// wire. A nil p has no effect.
func Within(p *inprocess.Process) Option { return func(d *dialing) { d.process = p } }

// Dial makes the connection of a part to the part named service at target, as
// grpcx.Dial does, and adds what a process that stays needs: calls fail at once while
// the other part does not answer, they are counted, and traces go on there.
//
// gRPC's own transport makes the spans, so a process that sends traces keeps the wire.
func Dial(target, service string, identity *mtls.Identity, log *slog.Logger, more ...Option) (grpcx.Conn, error) {
	expectCalls(service, identity)
	var d dialing
	for _, o := range more {
		o(&d)
	}
	options := []grpcx.Option{
		grpcx.WithBreaker(breaker.New(service, log)), grpcx.WithStats(telemetry.ClientTraces()),
		grpcx.WithInterceptors(rpcmetrics.Client.UnaryClient, rpcmetrics.Client.StreamClient),
	}
	if d.process != nil && !telemetry.Tracing() {
		return grpcx.Over(d.process.Dial(service, identity.Client(service)), options...), nil
	}
	conn, err := grpcx.Dial(target, service, identity, options...)
	if err != nil {
		return nil, err // and no connection that is not nil
	}
	return conn, nil
}
