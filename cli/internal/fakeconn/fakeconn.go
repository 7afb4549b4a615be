// Package fakeconn stands in for a connection to the services in tests of the
// order and the content of calls. What the services say is the test's to choose;
// that they say it is proven end to end, not here.
package fakeconn

import (
	"context"
	"path"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
)

// Call is a call that was made.
type Call struct {
	// Method is the name without the service, for example "CreatePerson".
	Method string
	// Request is a copy of what was sent.
	Request proto.Message
}

// Conn is a connection that answers by a function.
type Conn struct {
	// Answer gives the answer to a call; nil for an empty one.
	Answer func(Call) (proto.Message, error)
	// Calls were made, in order.
	Calls []Call
}

// Invoke implements grpc.ClientConnInterface.
func (c *Conn) Invoke(_ context.Context, method string, req, reply any, _ ...grpc.CallOption) error {
	call := Call{Method: path.Base(method), Request: proto.Clone(req.(proto.Message))}
	c.Calls = append(c.Calls, call)
	answer, err := c.Answer(call)
	if err == nil && answer != nil {
		proto.Merge(reply.(proto.Message), answer)
	}
	return err
}

// NewStream implements grpc.ClientConnInterface. No command streams.
func (c *Conn) NewStream(context.Context, *grpc.StreamDesc, string, ...grpc.CallOption) (grpc.ClientStream, error) {
	panic("fakeconn: no command streams")
}

// Methods are the names of the calls, in order.
func (c *Conn) Methods() []string {
	var names []string
	for _, call := range c.Calls {
		names = append(names, call.Method)
	}
	return names
}
