package rest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/grpc-ecosystem/grpc-gateway/v2/runtime"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"

	"vitae.internal/gateway/internal/answer"
)

// NewMux returns the mux that calls gRPC methods for the requests of a Route. Register services with a
// generated RegisterXHandlerClient, because RegisterXHandlerServer would bypass the interceptors.
// docs/adr/0010-grpc-gateway-for-stubs-only.md explains the options.
func NewMux(e answer.Errors) *runtime.ServeMux {
	none := func(string) (string, bool) { return "", false }
	return runtime.NewServeMux(
		runtime.WithMarshalerOption(runtime.MIMEWildcard, marshaler{}),
		// Headers must not become metadata, because a client could then set a principal. Metadata must
		// not become headers either.
		runtime.WithIncomingHeaderMatcher(none),
		runtime.WithOutgoingHeaderMatcher(none),
		runtime.WithOutgoingTrailerMatcher(none),
		runtime.WithMetadata(func(ctx context.Context, _ *http.Request) metadata.MD { return callOf(ctx).metadata }),
		runtime.WithMiddlewares(pathFromRouter),
		runtime.WithForwardResponseRewriter(func(ctx context.Context, m proto.Message) (any, error) { return callOf(ctx).succeed(m), nil }),
		runtime.WithDisablePathLengthFallback(),
		runtime.WithDisableHTTPMethodOverride(),
		runtime.WithWriteContentLength(),
		runtime.WithErrorHandler(func(ctx context.Context, _ *runtime.ServeMux, _ runtime.Marshaler, w http.ResponseWriter, r *http.Request, err error) {
			if fault := callOf(ctx).bodyFault; fault != nil {
				err = fault // grpc-gateway keeps only the error's text
			}
			e.Write(w, r, err)
		}),
		runtime.WithRoutingErrorHandler(func(_ context.Context, _ *runtime.ServeMux, _ runtime.Marshaler, w http.ResponseWriter, r *http.Request, _ int) {
			e.Write(w, r, answer.NotFound()) // cannot happen: the router has already matched the path
		}),
	)
}

// pathFromRouter passes on the path parameters that the gateway's router has decoded. The mux would decode
// them a second time.
func pathFromRouter(next runtime.HandlerFunc) runtime.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request, _ map[string]string) {
		next(w, r, callOf(r.Context()).params)
	}
}

// marshaler reads and writes the messages of a Route.
type marshaler struct{}

var errForeign = errors.New("rest: the mux serves a request that no Route has prepared")

func (marshaler) Marshal(v any) ([]byte, error) {
	a, ok := v.(result)
	if !ok || a.shape == nil {
		return nil, fmt.Errorf("%w: %T", errForeign, v)
	}
	b, err := a.shape.append((*a.buffer)[:0], a.message)
	if err == nil {
		*a.buffer = b
	}
	return b, err
}

func (marshaler) ContentType(any) string      { return answer.ContentTypeJSON }
func (marshaler) Unmarshal([]byte, any) error { return errForeign }

func (marshaler) NewDecoder(r io.Reader) runtime.Decoder {
	return runtime.DecoderFunc(func(v any) error {
		body, ours := r.(*body)
		m, isMessage := v.(proto.Message)
		if !ours || !isMessage {
			return errForeign
		}
		return body.decode(m)
	})
}

func (m marshaler) NewEncoder(w io.Writer) runtime.Encoder {
	return runtime.EncoderFunc(func(v any) error {
		b, err := m.Marshal(v)
		if err != nil {
			return err
		}
		_, err = w.Write(b)
		return err
	})
}
