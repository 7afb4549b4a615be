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

// origin says where a call comes from.
type origin struct {
	// caller is the certificate name of the part or team that calls.
	caller string
	// clientAddress is the address of the client of the outside request.
	clientAddress string
}

type originKey struct{}

// withOrigin reads where a call comes from once. Its access, its events, its metrics and
// its log line all ask for it.
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
	// No other caller is believed, since it could name anybody's address.
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

// Caller is the certificate name of the part or team that calls, empty if the
// connection carries none that can be one.
func Caller(ctx context.Context) string { return originOf(ctx).caller }

// clientAddress is the address of the client of a call: the one that the gateway names,
// or the caller's own.
func clientAddress(ctx context.Context) string { return originOf(ctx).clientAddress }
