package rest

import (
	"bytes"
	"context"
	"net/http"

	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// call is one request on its way through grpc-gateway, which hands our own values
// on in few places; the rest goes round it, by the context. It writes the answer.
type call struct {
	http.ResponseWriter
	route *Route
	// params are the parameters of the path by their fields' names.
	params   map[string]string
	metadata metadata.MD
	// bodyFault is what is wrong with the body.
	bodyFault error
	// status and header are those of success; begun says that something was written.
	status int
	header []string
	begun  bool
}

type callKey struct{}

// callOf gives an empty call for a request that no Route has begun.
func callOf(ctx context.Context) *call {
	if c, ok := ctx.Value(callKey{}).(*call); ok {
		return c
	}
	return &call{}
}

// result is what a method has answered, for the marshaler.
type result struct {
	shape   *shape
	message protoreflect.Message
}

// succeed takes over what the flags of an answer mean to HTTP.
func (c *call) succeed(m proto.Message) result {
	if c.route == nil {
		return result{} // the marshaler refuses it
	}
	message := m.ProtoReflect() // grpc-gateway's own type has it from the message within
	for _, f := range c.route.answer.flags {
		if !message.Get(f.desc).Bool() {
			continue
		}
		if f.status != 0 {
			c.status = f.status
		}
		if f.header != "" {
			c.header = append(c.header, f.header)
		}
	}
	return result{shape: c.route.answer, message: message}
}

// WriteHeader implements http.ResponseWriter. Only failures call it.
func (c *call) WriteHeader(status int) {
	c.begun = true
	c.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter. Whoever writes without a status succeeds.
func (c *call) Write(b []byte) (int, error) {
	if !c.begun {
		for _, name := range c.header {
			c.Header().Set(name, "true")
		}
		c.WriteHeader(c.status)
	}
	return c.ResponseWriter.Write(b)
}

// body is the whole body of a request as the mux's decoder finds it again.
type body struct {
	bytes.Reader // nothing: grpc-gateway drains what is left
	raw          []byte
	call         *call
}

// Close implements io.Closer.
func (*body) Close() error { return nil }

func (b *body) decode(m proto.Message) error {
	b.call.bodyFault = b.call.route.body.Decode(b.raw, m)
	return b.call.bodyFault
}
