package inprocess

import (
	"context"
	"io"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

// serverStream is a stream as its handler sees it.
type serverStream struct {
	*stream
	// received says that the only message of the caller was taken.
	received bool
}

var _ grpc.ServerStream = (*serverStream)(nil)

func (s *serverStream) Context() context.Context        { return s.ctx }
func (s *serverStream) SetHeader(md metadata.MD) error  { return s.sent.SetHeader(md) }
func (s *serverStream) SendHeader(md metadata.MD) error { return s.sent.SendHeader(md) }
func (s *serverStream) SetTrailer(md metadata.MD)       { _ = s.sent.SetTrailer(md) } // fails after the end only

// SendMsg implements grpc.ServerStream.
func (s *serverStream) SendMsg(m any) error {
	raw, err := encode(m)
	if err != nil {
		s.end(err)
		return err
	}
	s.sent.sendHeader()
	if s.ctx.Err() != nil || !s.responses.add(raw, s.ctx.Done()) {
		return s.gone()
	}
	return nil
}

// RecvMsg implements grpc.ServerStream.
func (s *serverStream) RecvMsg(m any) error {
	if s.ctx.Err() != nil {
		return s.gone()
	}
	raw, end, ok := s.requests.take(s.ctx.Done())
	switch {
	case end && s.ctx.Err() != nil: // not the caller, but the stream has ended
		return s.gone()
	case end && !s.desc.ClientStreams && !s.received:
		return status.Error(codes.Internal, "cardinality violation: received no request message from non-client-streaming RPC")
	case end:
		return io.EOF
	case !ok:
		return s.gone()
	}
	defer raw.Free()
	s.received = true
	if err := codec.Unmarshal(raw, m); err != nil {
		return status.Errorf(codes.Internal, "grpc: failed to unmarshal the received message: %v", err)
	}
	return nil
}

// gone is what a handler is told whose caller has gone.
func (s *serverStream) gone() error {
	if err := s.ctx.Err(); err != nil {
		return status.FromContextError(err).Err()
	}
	return status.Error(codes.Canceled, "context canceled") // the stream has ended
}
