package grpcserver

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"runtime/debug"
	"sync"
	"time"

	"buf.build/go/protovalidate"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/health"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/keepalive"
	"google.golang.org/grpc/reflection"
	"google.golang.org/grpc/status"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/grpcx"
	"vitae.internal/pkg/mtls"
	"vitae.internal/pkg/principal"
	"vitae.internal/pkg/rpcmetrics"
	"vitae.internal/pkg/telemetry"
)

const (
	// connectionAge is the maximum age of a connection. Its in-flight calls then have connectionGrace
	// to finish.
	connectionAge   = 2 * time.Minute
	connectionGrace = time.Minute
	// streamWorkers is the number of permanent goroutines that serve calls. They save growing the
	// stack of a new goroutine in each call. If all are busy, calls get new goroutines.
	streamWorkers = 64
)

// Server is the gRPC server of a service.
type Server struct {
	grpc   *grpc.Server
	health *health.Server
	access accessTable
	audits auditTable
	// members authorizes calls on behalf of people in the console. It may be nil.
	members Members
	// sessions looks up signed-in people. It may be nil.
	sessions Sessions
	// events stores audit events. It may be nil.
	events audit.Recorder
	log    *slog.Logger
}

// Option configures a server.
type Option func(*Server)

// WithAudit sets the recorder for events that the service has not stored itself. Without it, the
// server only logs them.
func WithAudit(r audit.Recorder) Option { return func(s *Server) { s.events = r } }

// rules returns the evaluator of the rules in the .proto files. The services of a process share it,
// because it takes a few milliseconds and megabytes to build, and caches compiled rules.
var rules = sync.OnceValues(func() (protovalidate.Validator, error) { return protovalidate.New() })

// New returns a server for callers whose certificate was signed by the deployment's certificate
// authority. register adds the services.
func New(identity *mtls.Identity, log *slog.Logger, register func(grpc.ServiceRegistrar), more ...Option) (*Server, error) {
	validator, err := rules()
	if err != nil {
		return nil, fmt.Errorf("grpcserver: validator: %w", err)
	}
	s := &Server{health: health.NewServer(), log: log}
	for _, o := range more {
		o(s)
	}
	options := []grpc.ServerOption{
		grpc.Creds(identity.Server()),
		grpc.MaxRecvMsgSize(grpcx.MaxMessage),
		grpc.MaxHeaderListSize(grpcx.MaxHeaderList),
		grpc.MaxSendMsgSize(grpcx.MaxMessage),
		grpc.StaticStreamWindowSize(grpcx.StreamWindow), grpc.StaticConnWindowSize(grpcx.ConnWindow),
		grpc.NumStreamWorkers(streamWorkers),
		grpc.KeepaliveParams(keepalive.ServerParameters{
			Time: 30 * time.Second, Timeout: 10 * time.Second,
			// Callers that reconnect resolve the name again and find new replicas.
			MaxConnectionAge: connectionAge, MaxConnectionAgeGrace: connectionGrace,
		}),
		grpc.KeepaliveEnforcementPolicy(keepalive.EnforcementPolicy{MinTime: 10 * time.Second, PermitWithoutStream: true}),
		// The metrics interceptor is outermost, so that rejected calls and panics are counted.
		grpc.ChainUnaryInterceptor(rpcmetrics.Server.UnaryServer, s.unary(validator)),
		grpc.ChainStreamInterceptor(rpcmetrics.Server.StreamServer, s.stream(validator)),
	}
	if traces := telemetry.ServerTraces(); traces != nil {
		options = append(options, grpc.StatsHandler(traces))
	}
	s.grpc = grpc.NewServer(options...)
	register(s.grpc)
	if s.access, err = newAccessTable(s.grpc, s.sessions != nil); err != nil {
		return nil, err
	}
	if s.audits, err = newAuditTable(s.grpc); err != nil {
		return nil, err
	}
	if err := expectCalls(s.grpc); err != nil {
		return nil, err
	}
	grpc_health_v1.RegisterHealthServer(s.grpc, s.health)
	reflection.Register(s.grpc)
	return s, nil
}

// Serve serves calls on l until Stop is called.
func (s *Server) Serve(l net.Listener) error {
	if err := s.grpc.Serve(l); err != nil && !errors.Is(err, grpc.ErrServerStopped) {
		return fmt.Errorf("grpcserver: serve: %w", err)
	}
	return nil
}

// Stop waits for in-flight calls. When ctx is done, it aborts the remaining ones.
func (s *Server) Stop(ctx context.Context) {
	s.health.Shutdown()
	done := make(chan struct{})
	go func() { s.grpc.GracefulStop(); close(done) }()
	select {
	case <-done:
	case <-ctx.Done():
		s.grpc.Stop()
		<-done
	}
}

func (s *Server) unary(v protovalidate.Validator) grpc.UnaryServerInterceptor {
	return func(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (resp any, err error) {
		start := time.Now()
		ctx = withOrigin(ctx)
		defer func() {
			if r := recover(); r != nil {
				err = s.recovered(ctx, info.FullMethod, r)
			}
			err = s.finish(ctx, info.FullMethod, start, err)
		}()
		return s.audited(ctx, info.FullMethod, req, func(within context.Context) (any, error) {
			var refused error
			if ctx, refused = s.admit(within, info.FullMethod); refused != nil {
				return nil, refused
			}
			if ctx, refused = s.checkMember(ctx, info.FullMethod, req); refused != nil {
				return nil, refused
			}
			if ctx, refused = s.checkSession(ctx, info.FullMethod, req); refused != nil {
				return nil, refused
			}
			s.forgetRead(ctx, info.FullMethod)
			return checked(ctx, v, req, handler)
		})
	}
}

func (s *Server) stream(v protovalidate.Validator) grpc.StreamServerInterceptor {
	return func(srv any, ss grpc.ServerStream, info *grpc.StreamServerInfo, handler grpc.StreamHandler) (err error) {
		start, ctx := time.Now(), withOrigin(ss.Context())
		defer func() {
			if r := recover(); r != nil {
				err = s.recovered(ctx, info.FullMethod, r)
			}
			err = s.finish(ctx, info.FullMethod, start, err)
		}()
		_, err = s.audited(ctx, info.FullMethod, nil, func(within context.Context) (any, error) {
			var refused error
			if ctx, refused = s.admit(within, info.FullMethod); refused != nil {
				return nil, refused
			}
			checked := &checkedStream{ServerStream: ss, ctx: ctx, validator: v, checkSession: func(ctx context.Context, m any) (context.Context, error) {
				return s.checkSession(ctx, info.FullMethod, m)
			}}
			refused = handler(srv, checked)
			if checked.sent {
				return begun, refused
			}
			return nil, refused
		})
		return err
	}
}

// admit enforces the access rule of the method and copies the metadata of the call to the context. It
// rejects a method without a rule, unless the method belongs to an infrastructure service.
func (s *Server) admit(ctx context.Context, method string) (context.Context, error) {
	rule, listed := s.access[method]
	if !listed && !isInfrastructure(method) {
		return ctx, errs.New(errs.Denied, "CALLER_NOT_ALLOWED", "This method has no access rule.")
	}
	if listed {
		if err := rule.checkCaller(ctx); err != nil {
			return ctx, err
		}
	}
	ctx, err := principal.Incoming(ctx)
	if err != nil {
		return ctx, err
	}
	ctx = grpcx.WithOutside(ctx, grpcx.Outside{
		RequestID: grpcx.IncomingRequestID(ctx), ClientAddress: clientAddress(ctx), Operator: lists(rule.operators, Caller(ctx)),
	})
	noteHolder(ctx)
	return ctx, rule.checkPrincipal(ctx)
}

func (s *Server) recovered(ctx context.Context, method string, r any) error {
	s.log.ErrorContext(ctx, "panic", "method", method, "request_id", grpcx.RequestID(ctx), "panic", r, "stack", string(debug.Stack()))
	return status.Error(codes.Internal, "internal error")
}

// finish counts and logs the call. Internal errors are logged with their cause, which the caller does
// not see.
func (s *Server) finish(ctx context.Context, method string, start time.Time, err error) error {
	out, caller := grpcx.ToStatus(err), Caller(ctx)
	code := status.Code(out)
	calls.WithLabelValues(caller, code.String()).Inc()
	level, message, about := slog.LevelDebug, "call", []any{"code", code.String(), "duration", time.Since(start)}
	switch code {
	case codes.Internal, codes.Unknown:
		level, message, about = slog.LevelError, "call failed", []any{"error", err}
	case codes.Unavailable:
		level, message, about = slog.LevelWarn, "call unavailable", []any{"error", err}
	}
	if s.log.Enabled(ctx, level) {
		call := append([]any{"method", method, "request_id", requestIDOf(ctx), "caller", caller}, whose(ctx)...)
		s.log.Log(ctx, level, message, append(call, about...)...)
	}
	return out
}

// whose returns log attributes for the IP address of the client, and for the app and account of the
// credential or the authenticated client.
func whose(ctx context.Context) []any {
	p := principal.FromContext(ctx)
	app, account := p.GetAppId(), p.GetAccountId()
	if p == nil {
		app, account = audit.FromContext(ctx).Acting()
	}
	return []any{"client_address", clientAddress(ctx), "app", app, "account", account}
}

// requestIDOf returns the request id of a call, even if it was rejected before admit.
func requestIDOf(ctx context.Context) string {
	if id := grpcx.RequestID(ctx); id != "" {
		return id
	}
	return grpcx.IncomingRequestID(ctx)
}

type checkedStream struct {
	grpc.ServerStream
	ctx       context.Context
	validator protovalidate.Validator
	// checkSession verifies the session that the method requires. The returned context contains the
	// person.
	checkSession func(ctx context.Context, m any) (context.Context, error)
	// sent reports whether a message was sent to the caller.
	sent bool
}

func (c *checkedStream) Context() context.Context { return c.ctx }

func (c *checkedStream) SendMsg(m any) error {
	err := c.ServerStream.SendMsg(m)
	c.sent = c.sent || err == nil
	return err
}

func (c *checkedStream) RecvMsg(m any) error {
	if err := c.ServerStream.RecvMsg(m); err != nil {
		return err
	}
	ctx, err := c.checkSession(c.ctx, m)
	if err != nil {
		return err
	}
	c.ctx = ctx
	faults, err := validate(c.validator, m)
	if err != nil {
		return err
	}
	return faults.Err()
}
