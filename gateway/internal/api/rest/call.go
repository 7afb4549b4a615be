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

// call is a request that grpc-gateway handles; it is also the request's ResponseWriter. It is passed in
// the context, because grpc-gateway passes little else through from its caller.
type call struct {
	http.ResponseWriter
	route *Route
	// params maps fields of the request message to the values of path parameters.
	params   map[string]string
	metadata metadata.MD
	// bodyFault is the error from decoding the body.
	bodyFault error
	// status and replayed apply to a successful response. begun is true once something has been written.
	status   int
	replayed bool
	begun    bool
	// buffer is reused for the bytes of the response.
	buffer *[]byte
}

type callKey struct{}

// callOf returns the call in ctx, or an empty call if no Route has prepared the request.
func callOf(ctx context.Context) *call {
	if c, ok := ctx.Value(callKey{}).(*call); ok {
		return c
	}
	return &call{}
}

// result passes a response message to the marshaler.
type result struct {
	shape   *shape
	message protoreflect.Message
	buffer  *[]byte
}

// succeed applies the fields of a response message that determine the status or the headers.
func (c *call) succeed(m proto.Message) result {
	if c.route == nil {
		return result{} // the marshaler rejects this result
	}
	message := m.ProtoReflect() // grpc-gateway wraps the message in a different type
	switch m := message.Interface().(type) {
	case *partnercatalogv1.CreateCompanyResponse:
		if m.GetExisted() {
			c.status = http.StatusOK
		}
	case *partnercatalogv1.CreateJobResponse:
		c.replayed = m.GetReplayed()
	}
	return result{shape: c.route.shape, message: message, buffer: c.buffer}
}

// WriteHeader sets the status of an error response. grpc-gateway does not call it on success.
func (c *call) WriteHeader(status int) {
	c.begun = true
	c.ResponseWriter.WriteHeader(status)
}

// Write writes the response. If no status has been written, the response is a success.
func (c *call) Write(b []byte) (int, error) {
	if !c.begun {
		if c.replayed {
			c.Header().Set("Idempotent-Replayed", "true")
		}
		c.WriteHeader(c.status)
	}
	return c.ResponseWriter.Write(b)
}

// body passes the whole body of a request to the decoder of the mux.
type body struct {
	bytes.Reader // empty, because grpc-gateway drains the remaining body
	raw          []byte
	call         *call
}

func (*body) Close() error { return nil }

func (b *body) decode(m proto.Message) error {
	b.call.bodyFault = b.call.route.body.Decode(b.raw, m)
	return b.call.bodyFault
}
