package grpcx

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/stats"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/mtls"
	"vitae.internal/pkg/principal"
)

const (
	// MaxMessage bounds a message either way, in bytes. A large CV projection is below
	// 1 MiB; a page of 100 jobs at all their limits is the largest message.
	MaxMessage = 10 << 20
	// MaxHeaderList bounds headers and trailers, in bytes. The faults of a request
	// travel in a trailer: at most 128 KiB of text, and what base64 and the status add
	// (package fault).
	MaxHeaderList = 1 << 20
	// callTimeout bounds a call whose context has no deadline.
	callTimeout = 5 * time.Second
	// hopShare is kept back from the caller's deadline, so that the callee reports
	// the timeout and the caller can still answer.
	hopShare = 50 * time.Millisecond
	// minTimeout is the least time that a call gets after hopShare is taken off.
	minTimeout = 10 * time.Millisecond
	// StreamWindow and ConnWindow are how many bytes of one call, and of a connection, may
	// be under way to either side before its reader has taken them. With windows of its own
	// choice gRPC measures the network as long as there are calls: with a ping, its answer
	// and a window update, beside nearly every message. A larger message than the window is
	// let through in one piece by its reader.
	StreamWindow = 1 << 20
	ConnWindow   = 8 << 20
	// maxUnderWay is how many calls may wait for one part. A part that stands still
	// must not hold all that its caller has for others too.
	maxUnderWay = 4096
)

// Option chooses something of a connection.
type Option func(*client)

// Breaker decides whether a part is called at all; pkg/breaker has one.
type Breaker interface {
	// Allow gives the error that a call fails with at once; nil lets it through.
	Allow() error
	// Done takes the result of a call that was let through, as gRPC gives it, and the
	// time that the call had.
	Done(ctx context.Context, had time.Duration, err error)
}

// WithBreaker asks b before each call.
func WithBreaker(b Breaker) Option { return func(c *client) { c.breaker = b } }

// WithStats has h see every call, for traces. A nil h sees nothing.
func WithStats(h stats.Handler) Option { return func(c *client) { c.stats = h } }

// WithInterceptors has calls pass u and s last, after the breaker: what was refused before
// does not reach them, and they see the statuses that come back.
func WithInterceptors(u grpc.UnaryClientInterceptor, s grpc.StreamClientInterceptor) Option {
	return func(c *client) { c.innerUnary, c.innerStream = append(c.innerUnary, u), append(c.innerStream, s) }
}

// always lets every call through.
type always struct{}

func (always) Allow() error                               { return nil }
func (always) Done(context.Context, time.Duration, error) {}

// client is one connection's interceptors.
type client struct {
	breaker Breaker
	stats   stats.Handler
	// The interceptors that calls pass last.
	innerUnary  []grpc.UnaryClientInterceptor
	innerStream []grpc.StreamClientInterceptor
	// underWay are the unary calls that wait for the part.
	underWay atomic.Int64
}

// Dial makes a connection to the part named service at target, balanced over
// all addresses that a dns:/// target resolves to. It does not wait for the part
// to be there. Errors of calls are *errs.Error.
//
// A call is retried only if it never reached a handler; gRPC does that itself.
func Dial(target, service string, identity *mtls.Identity, more ...Option) (*grpc.ClientConn, error) {
	c := &client{breaker: always{}}
	for _, o := range more {
		o(c)
	}
	conn, err := grpc.NewClient(target, c.options(service, identity)...)
	if err != nil {
		return nil, fmt.Errorf("grpcx: dial %s: %w", service, err)
	}
	return conn, nil
}

// options are those of a connection to the part named service.
func (c *client) options(service string, identity *mtls.Identity) []grpc.DialOption {
	options := []grpc.DialOption{
		grpc.WithTransportCredentials(identity.Client(service)),
		grpc.WithResolvers(newResolver(lookEvery)),
		grpc.WithDefaultServiceConfig(`{"loadBalancingConfig":[{"round_robin":{}}]}`),
		// It would be asked for in TXT records, which name servers that cannot reach any
		// other take ten seconds to deny.
		grpc.WithDisableServiceConfig(),
		grpc.WithMaxHeaderListSize(MaxHeaderList),
		grpc.WithStaticStreamWindowSize(StreamWindow), grpc.WithStaticConnWindowSize(ConnWindow),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(MaxMessage), grpc.MaxCallSendMsgSize(MaxMessage)),
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: 15 * time.Second, Timeout: 5 * time.Second}),
		// A part that was restarted is found again within a second.
		grpc.WithConnectParams(grpc.ConnectParams{
			Backoff:           backoff.Config{BaseDelay: 100 * time.Millisecond, Multiplier: 1.6, Jitter: 0.2, MaxDelay: time.Second},
			MinConnectTimeout: 2 * time.Second,
		}),
		grpc.WithChainUnaryInterceptor(append([]grpc.UnaryClientInterceptor{c.unary}, c.innerUnary...)...),
		grpc.WithChainStreamInterceptor(append([]grpc.StreamClientInterceptor{c.stream}, c.innerStream...)...),
	}
	if c.stats != nil {
		options = append(options, grpc.WithStatsHandler(c.stats))
	}
	return options
}

func (c *client) unary(ctx context.Context, method string, req, reply any, cc *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
	ctx, cancel := withHopDeadline(ctx, callTimeout)
	defer cancel()
	ctx, err := outgoing(ctx)
	if err != nil {
		return err
	}
	// Before the breaker, which counts on the result of every call that it lets through.
	defer c.underWay.Add(-1)
	if c.underWay.Add(1) > maxUnderWay {
		return errs.New(errs.Unavailable, errs.CodeUnavailable, "The service cannot answer now.")
	}
	if err := c.breaker.Allow(); err != nil {
		return err
	}
	had := remaining(ctx)
	err = invoke(ctx, method, req, reply, cc, opts...)
	c.breaker.Done(ctx, had, err)
	return FromStatus(err)
}

// remaining is the time until the deadline that every call has here.
func remaining(ctx context.Context) time.Duration {
	deadline, _ := ctx.Deadline()
	return time.Until(deadline)
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

// outgoing adds to the metadata of a call what ctx says of the outside request, all at once:
// each addition copies what was added before.
func outgoing(ctx context.Context) (context.Context, error) {
	entries, err := principal.Outgoing(ctx)
	if err != nil {
		return nil, err
	}
	if id := RequestID(ctx); id != "" {
		entries = append(entries, requestIDKey, id)
	}
	if address := ClientAddress(ctx); address != "" {
		entries = append(entries, clientAddressKey, address)
	}
	if len(entries) == 0 {
		return ctx, nil
	}
	return metadata.AppendToOutgoingContext(ctx, entries...), nil
}
