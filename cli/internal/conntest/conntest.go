// Package conntest stands in for a connection to the services in tests of the order
// and the content of calls. The test chooses the answers. The end-to-end tests prove
// that the services give such answers.
package conntest

import (
	"context"
	"path"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	"vitae.internal/pkg/principal"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

// Call is a call that was made.
type Call struct {
	// Method is the name without the service, for example "CreatePerson".
	Method string
	// Request is a copy of the request, or of the first piece of a stream.
	Request proto.Message
	// Pieces has a copy of every piece of a stream.
	Pieces []proto.Message
	// Principal is the principal that the call carries.
	Principal *identityv1.Principal
}

// Conn is a connection that answers by a function.
type Conn struct {
	// Answer gives the answer to a call, nil for an empty answer.
	Answer func(Call) (proto.Message, error)
	// Calls has the calls that were made, in order.
	Calls []Call
}

// Invoke implements grpc.ClientConnInterface.
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

// NewStream implements grpc.ClientConnInterface for a client that streams. The
// call is made, and answered, after the client has sent everything.
func (c *Conn) NewStream(ctx context.Context, _ *grpc.StreamDesc, method string, _ ...grpc.CallOption) (grpc.ClientStream, error) {
	return &stream{conn: c, ctx: ctx, call: Call{Method: path.Base(method)}}, nil
}

// stream is a call whose pieces are still being sent.
type stream struct {
	grpc.ClientStream // nil: a method that no client here uses panics
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

// Methods gives the names of the calls, in order.
func (c *Conn) Methods() []string {
	var names []string
	for _, call := range c.Calls {
		names = append(names, call.Method)
	}
	return names
}
