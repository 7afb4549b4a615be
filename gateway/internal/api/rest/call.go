package rest

import (
	"bytes"
	"context"
	"net/http"

	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

// call is one request on its way through grpc-gateway, and writes its answer. It
// travels in the context, because grpc-gateway hands on few values of its caller.
type call struct {
	http.ResponseWriter
	route *Route
	// params are the path parameters by the names of the request's fields.
	params   map[string]string
	metadata metadata.MD
	// bodyFault is the error from reading the body.
	bodyFault error
	// status and replayed are for a successful answer. begun is true once anything was
	// written.
	status   int
	replayed bool
	begun    bool
	// answer takes the bytes of the answer.
	answer *[]byte
}

type callKey struct{}

// callOf returns an empty call if no Route has prepared the request.
func callOf(ctx context.Context) *call {
	if c, ok := ctx.Value(callKey{}).(*call); ok {
		return c
	}
	return &call{}
}

// result is the answer of a method, as it is handed to the marshaler.
type result struct {
	shape   *shape
	message protoreflect.Message
	into    *[]byte
}

// succeed applies the fields of an answer that change its status or headers.
func (c *call) succeed(m proto.Message) result {
	if c.route == nil {
		return result{} // the marshaler refuses it
	}
	message := m.ProtoReflect() // grpc-gateway's own type for an answer is taken from the message in it
	switch m := message.Interface().(type) {
	case *partnercatalogv1.CreateCompanyResponse:
		if m.GetExisted() {
			c.status = http.StatusOK
		}
	case *partnercatalogv1.CreateJobResponse:
		c.replayed = m.GetReplayed()
	}
	return result{shape: c.route.answer, message: message, into: c.answer}
}

// WriteHeader implements http.ResponseWriter. grpc-gateway calls it only for
// failures.
func (c *call) WriteHeader(status int) {
	c.begun = true
	c.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter. The first Write without a status is a
// success.
func (c *call) Write(b []byte) (int, error) {
	if !c.begun {
		if c.replayed {
			c.Header().Set("Idempotent-Replayed", "true")
		}
		c.WriteHeader(c.status)
	}
	return c.ResponseWriter.Write(b)
}

// body carries the whole body of a request to the decoder of the mux.
type body struct {
	bytes.Reader // empty: grpc-gateway drains the rest of a body
	raw          []byte
	call         *call
}

func (*body) Close() error { return nil }

func (b *body) decode(m proto.Message) error {
	b.call.bodyFault = b.call.route.body.Decode(b.raw, m)
	return b.call.bodyFault
}
