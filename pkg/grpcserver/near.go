package grpcserver

import (
	"context"

	"buf.build/go/protovalidate"
	"google.golang.org/grpc"

	"vitae.internal/pkg/inprocess"
	"vitae.internal/pkg/rpcmetrics"
)

// Near answers the parts that run in the same process, with the same services behind the same
// interceptors. Stop stops it too.
func (s *Server) Near() *inprocess.Server { return s.near }

// everywhere registers a service for calls from other processes and for those of this one.
type everywhere struct {
	*grpc.Server
	near *inprocess.Server
}

// RegisterService implements grpc.ServiceRegistrar.
func (e everywhere) RegisterService(desc *grpc.ServiceDesc, impl any) {
	e.Server.RegisterService(desc, impl)
	e.near.RegisterService(desc, impl)
}

// interceptors are all that a call passes before its handler. The metrics are outermost, so
// that calls which are refused, and panics, are counted.
func (s *Server) interceptors(v protovalidate.Validator) (grpc.UnaryServerInterceptor, grpc.StreamServerInterceptor) {
	unary, stream := s.unary(v), s.stream(v)
	return func(ctx context.Context, req any, info *grpc.UnaryServerInfo, handler grpc.UnaryHandler) (any, error) {
			return rpcmetrics.Server.UnaryServer(ctx, req, info, func(ctx context.Context, req any) (any, error) { return unary(ctx, req, info, handler) })
		}, func(srv any, ss grpc.ServerStream, info *grpc.StreamServerInfo, handler grpc.StreamHandler) error {
			return rpcmetrics.Server.StreamServer(srv, ss, info, func(srv any, ss grpc.ServerStream) error { return stream(srv, ss, info, handler) })
		}
}
