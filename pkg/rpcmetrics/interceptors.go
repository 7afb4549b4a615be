package rpcmetrics

import (
	"context"
	"errors"
	"io"
	"sync"

	"google.golang.org/grpc"
	"google.golang.org/grpc/status"
)

// UnaryServer counts served calls. It must be the outermost interceptor, so that it also counts
// rejected calls.
func (s *Side) UnaryServer(ctx context.Context, req any, info *grpc.UnaryServerInfo, handle grpc.UnaryHandler) (any, error) {
	m := s.method(info.FullMethod, unary)
	start := m.start()
	resp, err := handle(ctx, req)
	m.end(start, err)
	return resp, err
}

// StreamServer counts served streams. Each stream counts as one call.
func (s *Side) StreamServer(srv any, stream grpc.ServerStream, info *grpc.StreamServerInfo, handle grpc.StreamHandler) error {
	m := s.method(info.FullMethod, KindOf(info.IsClientStream, info.IsServerStream))
	start := m.start()
	err := handle(srv, stream)
	m.end(start, err)
	return err
}

// UnaryClient counts the calls that this process makes. It must be the innermost interceptor, so that
// it sees the received status.
func (s *Side) UnaryClient(ctx context.Context, full string, req, reply any, cc *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
	m := s.method(full, unary)
	start := m.start()
	err := invoke(ctx, full, req, reply, cc, opts...)
	m.end(start, err)
	return err
}

// StreamClient counts the streams that this process opens. A stream ends when the client receives
// the first error, when it receives the only response of a server that sends just one, or when its
// context is done.
func (s *Side) StreamClient(ctx context.Context, desc *grpc.StreamDesc, cc *grpc.ClientConn, full string, open grpc.Streamer, opts ...grpc.CallOption) (grpc.ClientStream, error) {
	m := s.method(full, KindOf(desc.ClientStreams, desc.ServerStreams))
	start := m.start()
	stream, err := open(ctx, desc, cc, full, opts...)
	if err != nil {
		m.end(start, err)
		return nil, err
	}
	var once sync.Once
	end := func(err error) { once.Do(func() { m.end(start, err) }) }
	context.AfterFunc(ctx, func() { end(status.FromContextError(ctx.Err()).Err()) })
	return &counted{ClientStream: stream, end: end, many: desc.ServerStreams}, nil
}

// counted detects the end of a client's stream.
type counted struct {
	grpc.ClientStream
	end func(error)
	// many reports whether the server sends any number of messages instead of one.
	many bool
}

func (c *counted) RecvMsg(m any) error {
	err := c.ClientStream.RecvMsg(m)
	switch {
	case errors.Is(err, io.EOF) || err == nil && !c.many:
		c.end(nil)
	case err != nil:
		c.end(err)
	}
	return err
}
