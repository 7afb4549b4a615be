package grpcserver

import (
	"context"
	"net"

	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/peer"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/grpcx"
	"vitae.internal/pkg/mtls"
)

// origin describes where a call comes from.
type origin struct {
	// caller is the name in the certificate of the calling service or team.
	caller string
	// clientAddress is the IP address of the client that sent the original request.
	clientAddress string
}

type originKey struct{}

// withOrigin determines the origin of a call and stores it in the context, so that it is determined
// only once.
func withOrigin(ctx context.Context) context.Context {
	return context.WithValue(ctx, originKey{}, readOrigin(ctx))
}

func originOf(ctx context.Context) origin {
	if o, ok := ctx.Value(originKey{}).(origin); ok {
		return o
	}
	return readOrigin(ctx)
}

func readOrigin(ctx context.Context) origin {
	p, ok := peer.FromContext(ctx)
	if !ok {
		return origin{}
	}
	o := origin{caller: callerOf(p)}
	// Other callers could send a forged client address.
	if o.caller == audit.Gateway {
		o.clientAddress = grpcx.IncomingClientAddress(ctx)
	} else if host, _, err := net.SplitHostPort(p.Addr.String()); err == nil {
		o.clientAddress = host
	}
	return o
}

func callerOf(p *peer.Peer) string {
	info, ok := p.AuthInfo.(credentials.TLSInfo)
	if !ok || len(info.State.VerifiedChains) == 0 {
		return ""
	}
	return mtls.CallerName(info.State.VerifiedChains[0][0])
}

// Caller returns the name in the certificate of the calling service or team, or "" if the call has
// no valid certificate.
func Caller(ctx context.Context) string { return originOf(ctx).caller }

// clientAddress returns the client's IP address as sent by the gateway, or the IP address of any
// other caller.
func clientAddress(ctx context.Context) string { return originOf(ctx).clientAddress }
