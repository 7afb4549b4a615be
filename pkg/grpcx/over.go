package grpcx

import (
	"context"
	"io"

	"google.golang.org/grpc"
)

// Conn is a connection to a part. Who has made it closes it.
type Conn interface {
	grpc.ClientConnInterface
	io.Closer
}

// Over gives a connection on the transport of another package. Its calls pass the
// interceptors that those of a connection of Dial pass, in the same order. Options that only
// gRPC's own transport can follow, WithStats, have no effect.
func Over(transport Conn, more ...Option) Conn {
	c := &client{breaker: always{}}
	for _, o := range more {
		o(c)
	}
	o := &over{Conn: transport}
	o.unary = func(ctx context.Context, method string, req, reply any, _ *grpc.ClientConn, opts ...grpc.CallOption) error {
		return transport.Invoke(ctx, method, req, reply, opts...)
	}
	o.stream = func(ctx context.Context, desc *grpc.StreamDesc, _ *grpc.ClientConn, method string, opts ...grpc.CallOption) (grpc.ClientStream, error) {
		return transport.NewStream(ctx, desc, method, opts...)
	}
	unary, stream := c.interceptors()
	for i := len(unary) - 1; i >= 0; i-- {
		o.unary = passing(unary[i], o.unary)
	}
	for i := len(stream) - 1; i >= 0; i-- {
		o.stream = streaming(stream[i], o.stream)
	}
	return o
}

// over is a connection whose calls pass interceptors.
type over struct {
	Conn
	unary  grpc.UnaryInvoker
	stream grpc.Streamer
}

// Invoke implements grpc.ClientConnInterface.
func (o *over) Invoke(ctx context.Context, method string, req, reply any, opts ...grpc.CallOption) error {
	return o.unary(ctx, method, req, reply, nil, opts...)
}

// NewStream implements grpc.ClientConnInterface.
func (o *over) NewStream(ctx context.Context, desc *grpc.StreamDesc, method string, opts ...grpc.CallOption) (grpc.ClientStream, error) {
	return o.stream(ctx, desc, nil, method, opts...)
}

func passing(i grpc.UnaryClientInterceptor, next grpc.UnaryInvoker) grpc.UnaryInvoker {
	return func(ctx context.Context, method string, req, reply any, cc *grpc.ClientConn, opts ...grpc.CallOption) error {
		return i(ctx, method, req, reply, cc, next, opts...)
	}
}

func streaming(i grpc.StreamClientInterceptor, next grpc.Streamer) grpc.Streamer {
	return func(ctx context.Context, desc *grpc.StreamDesc, cc *grpc.ClientConn, method string, opts ...grpc.CallOption) (grpc.ClientStream, error) {
		return i(ctx, desc, cc, method, next, opts...)
	}
}
