// Package conntest fakes a connection to the services, so tests can check the order and content of calls. Each
// test chooses the responses. End-to-end tests prove that the services respond in this way.
package conntest

import (
	"context"
	"path"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	"vitae.internal/pkg/principal"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

// Call is a recorded call.
type Call struct {
	// Method is the method name without the service, for example "CreatePerson".
	Method string
	// Request is a copy of the request, or of the first message of a stream.
	Request proto.Message
	// Pieces holds a copy of every message of a stream.
	Pieces []proto.Message
	// Principal is the principal on whose behalf the call was made.
	Principal *identityv1.Principal
}

// Conn is a fake connection that records calls and lets a function respond to them.
type Conn struct {
	// Answer returns the response to a call, or nil for an empty response.
	Answer func(Call) (proto.Message, error)
	// Calls holds all calls in order.
	Calls []Call
}

func (c *Conn) Invoke(ctx context.Context, method string, req, reply any, _ ...grpc.CallOption) error {
	return c.answer(Call{Method: path.Base(method), Request: proto.Clone(req.(proto.Message)), Principal: principal.FromContext(ctx)}, reply)
}

func (c *Conn) answer(call Call, reply any) error {
	c.Calls = append(c.Calls, call)
	answer, err := c.Answer(call)
	if err == nil && answer != nil {
		proto.Merge(reply.(proto.Message), answer)
	}
	return err
}

// NewStream starts a client stream. Conn records the call and responds to it when the response is read.
func (c *Conn) NewStream(ctx context.Context, _ *grpc.StreamDesc, method string, _ ...grpc.CallOption) (grpc.ClientStream, error) {
	return &stream{conn: c, ctx: ctx, call: Call{Method: path.Base(method)}}, nil
}

// stream is the client side of a stream.
type stream struct {
	grpc.ClientStream // nil, so that unused methods panic
	conn              *Conn
	ctx               context.Context
	call              Call
}

func (s *stream) Context() context.Context { return s.ctx }
func (s *stream) CloseSend() error         { return nil }

func (s *stream) SendMsg(m any) error {
	piece := proto.Clone(m.(proto.Message))
	if s.call.Request == nil {
		s.call.Request = piece
	}
	s.call.Pieces = append(s.call.Pieces, piece)
	return nil
}

func (s *stream) RecvMsg(reply any) error { return s.conn.answer(s.call, reply) }

// Methods returns the methods of all calls in order.
func (c *Conn) Methods() []string {
	var names []string
	for _, call := range c.Calls {
		names = append(names, call.Method)
	}
	return names
}
