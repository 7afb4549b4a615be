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
	// MaxMessage is the maximum size of a message in bytes. A large CV projection is below 1 MiB;
	// the largest message is a page of 100 jobs at all their limits.
	MaxMessage = 10 << 20
	// MaxHeaderList is the maximum size of headers and trailers in bytes. Faults are sent in a
	// trailer: at most 128 KiB of text, plus the overhead of base64 and the status (package fault).
	MaxHeaderList = 1 << 20
	// callTimeout is the timeout of a call whose context has no deadline.
	callTimeout = 5 * time.Second
	// hopShare is subtracted from the caller's deadline, so that the callee reports the timeout and
	// the caller can still respond.
	hopShare = 50 * time.Millisecond
	// minTimeout is the minimum timeout after subtracting hopShare.
	minTimeout = 10 * time.Millisecond
	// StreamWindow and ConnWindow are how many bytes of one call, and of a connection, can be in
	// flight before the receiver has read them. With dynamic windows, gRPC measures the network as
	// long as there are calls: a ping, its answer and a window update next to nearly every message.
	// The receiver accepts a message that exceeds the window as a whole.
	StreamWindow = 1 << 20
	ConnWindow   = 8 << 20
	// maxUnderWay is the maximum number of calls that wait for one service. A hanging service must
	// not occupy all resources of its caller.
	maxUnderWay = 4096
)

// Option configures a connection.
type Option func(*client)

// Breaker decides whether a service is called. pkg/breaker implements it.
type Breaker interface {
	// Allow returns nil, or the error with which a call fails immediately.
	Allow() error
	// Done records the error of an allowed call, as returned by gRPC, and the call's timeout.
	Done(ctx context.Context, had time.Duration, err error)
}

// WithBreaker sets the circuit breaker.
func WithBreaker(b Breaker) Option { return func(c *client) { c.breaker = b } }

// WithStats sets a stats handler, for traces. It may be nil.
func WithStats(h stats.Handler) Option { return func(c *client) { c.stats = h } }

// WithInterceptors adds the innermost interceptors. They run after the breaker, so they do not see
// calls that it refuses, and they see the received statuses.
func WithInterceptors(u grpc.UnaryClientInterceptor, s grpc.StreamClientInterceptor) Option {
	return func(c *client) { c.innerUnary, c.innerStream = append(c.innerUnary, u), append(c.innerStream, s) }
}

// always allows every call.
type always struct{}

func (always) Allow() error                               { return nil }
func (always) Done(context.Context, time.Duration, error) {}

// client contains the interceptors of one connection.
type client struct {
	breaker Breaker
	stats   stats.Handler
	// The innermost interceptors.
	innerUnary  []grpc.UnaryClientInterceptor
	innerStream []grpc.StreamClientInterceptor
	// underWay is the number of unary calls that wait for the service.
	underWay atomic.Int64
}

// Dial returns a connection to the named service at target, balanced over all addresses of a
// dns:/// target. It does not wait for the service. Errors of calls are *errs.Error.
//
// gRPC retries a call only if it never reached a handler.
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

// options returns the options of a connection to the named service.
func (c *client) options(service string, identity *mtls.Identity) []grpc.DialOption {
	options := []grpc.DialOption{
		grpc.WithTransportCredentials(identity.Client(service)),
		grpc.WithResolvers(newResolver(lookEvery)),
		grpc.WithDefaultServiceConfig(`{"loadBalancingConfig":[{"round_robin":{}}]}`),
		// Otherwise gRPC would query TXT records. Name servers without upstream access take ten
		// seconds to answer these.
		grpc.WithDisableServiceConfig(),
		grpc.WithMaxHeaderListSize(MaxHeaderList),
		grpc.WithStaticStreamWindowSize(StreamWindow), grpc.WithStaticConnWindowSize(ConnWindow),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(MaxMessage), grpc.MaxCallSendMsgSize(MaxMessage)),
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: 15 * time.Second, Timeout: 5 * time.Second}),
		// A restarted service is found again within a second.
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
	// Before the breaker, which needs the result of every call that it allows.
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

// remaining returns the time until the deadline of ctx, which every call has.
func remaining(ctx context.Context) time.Duration {
	deadline, _ := ctx.Deadline()
	return time.Until(deadline)
}

// withHopDeadline subtracts hopShare from the deadline of ctx, or sets a deadline if there is none.
func withHopDeadline(ctx context.Context, timeout time.Duration) (context.Context, context.CancelFunc) {
	deadline, ok := ctx.Deadline()
	if !ok {
		return context.WithTimeout(ctx, timeout)
	}
	left := max(time.Until(deadline)-hopShare, minTimeout)
	return context.WithTimeout(ctx, left)
}

// outgoing adds the principal and the original request to the metadata of a call, in one step because
// each addition copies the previous ones.
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
