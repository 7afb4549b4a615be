package grpcx

import (
	"context"
	"errors"
	"io"
	"time"

	"google.golang.org/grpc"
)

// streamTimeout is the timeout of a stream whose context has no deadline. Sending 10 MiB at 90 kB/s
// takes just under two minutes.
const streamTimeout = 2 * time.Minute

func (c *client) stream(ctx context.Context, desc *grpc.StreamDesc, cc *grpc.ClientConn, method string, open grpc.Streamer, opts ...grpc.CallOption) (grpc.ClientStream, error) {
	ctx, cancel := withHopDeadline(ctx, streamTimeout)
	ctx, err := outgoing(ctx)
	if err != nil {
		cancel()
		return nil, err
	}
	if err := c.breaker.Allow(); err != nil {
		cancel()
		return nil, err
	}
	had := remaining(ctx)
	s, err := open(ctx, desc, cc, method, opts...)
	if err != nil {
		c.breaker.Done(ctx, had, err)
		cancel()
		return nil, FromStatus(err)
	}
	heard := func(err error) { c.breaker.Done(ctx, had, err) }
	return &clientStream{ClientStream: s, cancel: cancel, heard: heard, many: desc.ServerStreams}, nil
}

// clientStream converts the statuses of a stream, except io.EOF, to errs, and releases the context
// when the stream ends.
type clientStream struct {
	grpc.ClientStream
	cancel context.CancelFunc
	// heard reports a result to the breaker.
	heard func(error)
	// many reports whether the server sends any number of messages instead of one.
	many bool
}

// SendMsg returns io.EOF if the server has ended the stream. RecvMsg then returns the reason.
func (s *clientStream) SendMsg(m any) error {
	return streamFault(s.ClientStream.SendMsg(m))
}

func (s *clientStream) RecvMsg(m any) error {
	err := s.ClientStream.RecvMsg(m)
	if errors.Is(err, io.EOF) {
		s.heard(nil)
	} else {
		s.heard(err)
	}
	if err != nil || !s.many {
		s.cancel()
	}
	return streamFault(err)
}

func streamFault(err error) error {
	if errors.Is(err, io.EOF) {
		return io.EOF
	}
	return FromStatus(err)
}
