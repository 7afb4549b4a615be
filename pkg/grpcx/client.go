package grpcx

import (
	"context"
	"fmt"
	"time"

	"go.opentelemetry.io/contrib/instrumentation/google.golang.org/grpc/otelgrpc"
	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/metadata"

	"vitae.internal/pkg/mtls"
	"vitae.internal/pkg/principal"
	"vitae.internal/pkg/telemetry"
)

const (
	// callTimeout bounds a call whose context has no deadline.
	callTimeout = 5 * time.Second
	// hopShare is kept back from the caller's deadline, so that the callee reports
	// the timeout and the caller can still answer.
	hopShare = 50 * time.Millisecond
	// minTimeout is never cut by hopShare.
	minTimeout = 10 * time.Millisecond
)

// Dial makes a connection to the part named service at target, balanced over
// all addresses that a dns:/// target resolves to. It does not wait for the part
// to be there. Errors of calls are *errs.Error.
func Dial(target, service string, identity *mtls.Identity) (*grpc.ClientConn, error) {
	options := []grpc.DialOption{
		grpc.WithTransportCredentials(credentials.NewTLS(identity.Client(service))),
		grpc.WithDefaultServiceConfig(`{"loadBalancingConfig":[{"round_robin":{}}]}`),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(maxMessage), grpc.MaxCallSendMsgSize(maxMessage)),
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: 15 * time.Second, Timeout: 5 * time.Second}),
		// A part that was restarted is found again within a second.
		grpc.WithConnectParams(grpc.ConnectParams{
			Backoff:           backoff.Config{BaseDelay: 100 * time.Millisecond, Multiplier: 1.6, Jitter: 0.2, MaxDelay: time.Second},
			MinConnectTimeout: 2 * time.Second,
		}),
		grpc.WithChainUnaryInterceptor(unaryClient),
		grpc.WithChainStreamInterceptor(streamClient),
	}
	if telemetry.Tracing() {
		options = append(options, grpc.WithStatsHandler(otelgrpc.NewClientHandler()))
	}
	conn, err := grpc.NewClient(target, options...)
	if err != nil {
		return nil, fmt.Errorf("grpcx: dial %s: %w", service, err)
	}
	return conn, nil
}

func unaryClient(ctx context.Context, method string, req, reply any, cc *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
	ctx, cancel := withHopDeadline(ctx, callTimeout)
	defer cancel()
	ctx, err := outgoing(ctx)
	if err != nil {
		return err
	}
	return FromStatus(invoke(ctx, method, req, reply, cc, opts...))
}

// withHopDeadline keeps hopShare back from the deadline of ctx, or sets one where
// there is none.
func withHopDeadline(ctx context.Context, timeout time.Duration) (context.Context, context.CancelFunc) {
	deadline, ok := ctx.Deadline()
	if !ok {
		return context.WithTimeout(ctx, timeout)
	}
	left := max(time.Until(deadline)-hopShare, minTimeout)
	return context.WithTimeout(ctx, left)
}

func outgoing(ctx context.Context) (context.Context, error) {
	if id := RequestID(ctx); id != "" {
		ctx = metadata.AppendToOutgoingContext(ctx, requestIDKey, id)
	}
	return principal.Outgoing(ctx)
}
