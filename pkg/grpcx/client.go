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
	// MaxMessage is the maximum size of a message, in bytes. A large CV projection is smaller than 1
	// MiB; the largest message is a page of 100 jobs, each with all fields at their limits.
	MaxMessage = 10 << 20
	// MaxHeaderList is the maximum size of headers and trailers, in bytes. Faults are sent in a
	// trailer: at most 128 KiB of text, plus the overhead of base64 and the status (package fault).
	MaxHeaderList = 1 << 20
	// callTimeout is the timeout of a unary call whose context has no deadline.
	callTimeout = 5 * time.Second
	// hopShare is subtracted from the caller's deadline, so that the callee reports the timeout while
	// the caller can still respond.
	hopShare = 50 * time.Millisecond
	// minTimeout is the minimum timeout after subtracting hopShare.
	minTimeout = 10 * time.Millisecond
	// StreamWindow and ConnWindow are the flow control windows of a call and of a connection: the
	// number of bytes that can be in flight before the receiver reads them. They are static because,
	// with dynamic windows, gRPC measures the network during calls: it sends a ping, its response and
	// a window update with nearly every message. A message that exceeds the window is still received
	// as a whole.
	StreamWindow = 1 << 20
	ConnWindow   = 8 << 20
	// maxUnderWay is the maximum number of calls that wait for a service. A hanging service must not
	// use up all resources of its caller.
	maxUnderWay = 4096
)

// Option configures a connection.
type Option func(*client)

// Breaker decides whether a call may be made. pkg/breaker implements it.
type Breaker interface {
	// Allow returns nil if the call may be made, or the error that the call must return.
	Allow() error
	// Done reports the error of an allowed call, as returned by gRPC, and the call's timeout.
	Done(ctx context.Context, had time.Duration, err error)
}

// WithBreaker sets the circuit breaker of a connection.
func WithBreaker(b Breaker) Option { return func(c *client) { c.breaker = b } }

// WithStats sets a stats handler, for traces. h may be nil.
func WithStats(h stats.Handler) Option { return func(c *client) { c.stats = h } }

// WithInterceptors adds the innermost interceptors. They run after the breaker, so they do not see
// calls that it rejects, and they see the statuses as received.
func WithInterceptors(u grpc.UnaryClientInterceptor, s grpc.StreamClientInterceptor) Option {
	return func(c *client) { c.innerUnary, c.innerStream = append(c.innerUnary, u), append(c.innerStream, s) }
}

// always is a Breaker that allows every call.
type always struct{}

func (always) Allow() error                               { return nil }
func (always) Done(context.Context, time.Duration, error) {}

// client holds the interceptors and the state of one connection.
type client struct {
	breaker Breaker
	stats   stats.Handler
	// innerUnary and innerStream are the innermost interceptors.
	innerUnary  []grpc.UnaryClientInterceptor
	innerStream []grpc.StreamClientInterceptor
	// underWay is the number of unary calls that are waiting for the service.
	underWay atomic.Int64
}

// Dial returns a connection to the named service at target. Calls are balanced over all IP addresses
// of a dns:/// target. Dial does not wait until the service is reachable. Calls return errors of type
// *errs.Error.
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

// options returns the dial options for the named service.
func (c *client) options(service string, identity *mtls.Identity) []grpc.DialOption {
	options := []grpc.DialOption{
		grpc.WithTransportCredentials(identity.Client(service)),
		grpc.WithResolvers(newResolver(resolveEvery)),
		grpc.WithDefaultServiceConfig(`{"loadBalancingConfig":[{"round_robin":{}}]}`),
		// Otherwise gRPC would query TXT records. Name servers without upstream access take ten
		// seconds to respond to these queries.
		grpc.WithDisableServiceConfig(),
		grpc.WithMaxHeaderListSize(MaxHeaderList),
		grpc.WithStaticStreamWindowSize(StreamWindow), grpc.WithStaticConnWindowSize(ConnWindow),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(MaxMessage), grpc.MaxCallSendMsgSize(MaxMessage)),
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: 15 * time.Second, Timeout: 5 * time.Second}),
		// With this backoff, a restarted service is found within a second.
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
	// Check the limit before the breaker, which must learn the result of every call that it allows.
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

// remaining returns the time until the deadline of ctx. Every call has a deadline.
func remaining(ctx context.Context) time.Duration {
	deadline, _ := ctx.Deadline()
	return time.Until(deadline)
}

// withHopDeadline subtracts hopShare from the deadline of ctx. If ctx has no deadline, it sets one.
func withHopDeadline(ctx context.Context, timeout time.Duration) (context.Context, context.CancelFunc) {
	deadline, ok := ctx.Deadline()
	if !ok {
		return context.WithTimeout(ctx, timeout)
	}
	left := max(time.Until(deadline)-hopShare, minTimeout)
	return context.WithTimeout(ctx, left)
}

// outgoing adds the principal, the request id and the client address to the metadata of a call. It
// does so in one step, because each step copies the existing metadata.
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
