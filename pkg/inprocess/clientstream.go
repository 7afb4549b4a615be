package inprocess

import (
	"context"
	"errors"
	"io"
	"sync"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

// clientStream is a stream as its caller sees it.
type clientStream struct {
	*stream
	desc *grpc.StreamDesc // the caller's
	// ctx is the caller's; leave ends it, and that of the server with it.
	ctx   context.Context
	leave context.CancelFunc
	into  options
	// closed says that the caller sends no more.
	closed bool
	mu     sync.Mutex
	// over is how the stream has ended for its caller.
	over error
}

var _ grpc.ClientStream = (*clientStream)(nil)

func (s *clientStream) Context() context.Context { return s.ctx }

// Header implements grpc.ClientStream.
func (s *clientStream) Header() (metadata.MD, error) {
	select {
	case <-s.sent.sent:
	case <-s.ctx.Done():
		if !s.sent.hasHeader() {
			return nil, status.FromContextError(s.ctx.Err()).Err()
		}
	}
	return s.sent.headerNow(), nil
}

// Trailer implements grpc.ClientStream.
func (s *clientStream) Trailer() metadata.MD { return s.sent.trailerNow() }

// CloseSend implements grpc.ClientStream. A caller that has gone before does not say that its
// messages were all: the handler hears of it a moment later, and must not take half for the
// whole.
func (s *clientStream) CloseSend() error {
	s.closed = true
	if s.ctx.Err() == nil {
		s.requests.close()
	}
	return nil
}

// SendMsg implements grpc.ClientStream. It gives io.EOF when the stream has ended, if messages
// go both ways or to the server; RecvMsg then says why.
func (s *clientStream) SendMsg(m any) error {
	if s.closed {
		return status.Error(codes.Internal, "SendMsg called after CloseSend")
	}
	raw, err := encode(m)
	if err != nil {
		return s.finish(err)
	}
	if s.ctx.Err() == nil && s.requests.add(raw, s.ctx.Done()) {
		return nil
	}
	if !s.desc.ClientStreams {
		return nil // generated code, which sends one message, would take io.EOF for the result
	}
	return io.EOF
}

// RecvMsg implements grpc.ClientStream.
func (s *clientStream) RecvMsg(m any) error {
	if err := s.receive(m); err != nil || s.desc.ServerStreams {
		if errors.Is(err, io.EOF) && !s.desc.ServerStreams {
			return status.Error(codes.Internal, "cardinality violation: received no response message from non-server-streaming RPC")
		}
		return err
	}
	// The status decides whether the only answer counts.
	raw, end := s.next()
	if end == nil {
		raw.Free()
		return s.finish(status.Error(codes.Internal, "cardinality violation: expected <EOF> for non server-streaming RPCs, but received another message"))
	}
	if errors.Is(end, io.EOF) {
		return nil
	}
	return end
}

// receive takes the next message, or gives the end: io.EOF after a success.
func (s *clientStream) receive(m any) error {
	raw, end := s.next()
	if end != nil {
		return end
	}
	defer raw.Free()
	if err := codec.Unmarshal(raw, m); err != nil {
		return s.finish(status.Errorf(codes.Internal, "grpc: failed to unmarshal the received message: %v", err))
	}
	return nil
}

// next gives the next message, or the end.
func (s *clientStream) next() (mem.BufferSlice, error) {
	if over := s.ended(); over != nil {
		return nil, over
	}
	if err := s.ctx.Err(); err != nil {
		return nil, s.finish(status.FromContextError(err).Err())
	}
	raw, end, ok := s.responses.take(s.ctx.Done())
	switch {
	case ok:
		return raw, nil
	case !end:
		return nil, s.finish(status.FromContextError(s.ctx.Err()).Err())
	case s.fault != nil:
		return nil, s.finish(s.fault)
	default:
		return nil, s.finish(io.EOF)
	}
}

// finish ends the stream for its caller, and gives how. The handler hears of it by its context.
func (s *clientStream) finish(how error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over == nil {
		s.over = how
		s.into.told(&s.sent)
		s.leave()
	}
	return s.over
}

func (s *clientStream) ended() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.over
}
