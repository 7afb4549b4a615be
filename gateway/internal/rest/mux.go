package rest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/grpc-ecosystem/grpc-gateway/v2/runtime"
	"google.golang.org/protobuf/proto"
)

// NewMux makes the translation between HTTP and gRPC. Register services on it
// with their generated RegisterXHandlerClient, over a real connection: the
// in-process RegisterXHandlerServer bypasses the interceptors.
func NewMux(e Errors) *runtime.ServeMux {
	none := func(string) (string, bool) { return "", false }
	return runtime.NewServeMux(
		runtime.WithMarshalerOption(runtime.MIMEWildcard, marshaler{}),
		// Nothing of a request's headers becomes metadata, and nothing of an answer's
		// metadata becomes a header: principals are not for clients to set.
		runtime.WithIncomingHeaderMatcher(none),
		runtime.WithOutgoingHeaderMatcher(none),
		runtime.WithOutgoingTrailerMatcher(none),
		runtime.WithDisablePathLengthFallback(),
		runtime.WithDisableHTTPMethodOverride(),
		runtime.WithWriteContentLength(),
		runtime.WithErrorHandler(func(_ context.Context, _ *runtime.ServeMux, _ runtime.Marshaler, w http.ResponseWriter, r *http.Request, err error) {
			e.Write(w, r, err)
		}),
		runtime.WithRoutingErrorHandler(func(_ context.Context, _ *runtime.ServeMux, _ runtime.Marshaler, w http.ResponseWriter, r *http.Request, _ int) {
			e.Write(w, r, NotFound()) // the edge's own router has matched the path before
		}),
	)
}

// Bare hands a request to the mux without what the mux would make use of by
// itself, whatever its options: Authorization, Grpc-Timeout, X-Forwarded-*, TE and
// Host would go on to the services, and HEAD has no routes.
func Bare(mux http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		bare := r.WithContext(r.Context())
		bare.Header = http.Header{}
		if t := r.Header.Get("Content-Type"); t != "" {
			bare.Header.Set("Content-Type", t)
		}
		bare.Host, bare.RemoteAddr = "", ""
		if r.Method == http.MethodHead {
			bare.Method = http.MethodGet // net/http leaves the body out
		}
		if bare.Method == http.MethodGet {
			bare.Body = http.NoBody
		}
		mux.ServeHTTP(w, bare)
	})
}

// marshaler writes messages into the envelope.
type marshaler struct{}

var errNoRequestBody = errors.New("rest: no method reads a request body")

func (marshaler) Marshal(v any) ([]byte, error) {
	m, ok := v.(proto.Message)
	if !ok {
		return nil, fmt.Errorf("rest: %T is not a message", v)
	}
	b, err := appendJSON(append(make([]byte, 0, 4096), envelopeHead...), m)
	if err != nil {
		return nil, err
	}
	return append(b, envelopeTail...), nil
}

func (marshaler) ContentType(any) string      { return contentTypeJSON }
func (marshaler) Unmarshal([]byte, any) error { return errNoRequestBody }

func (marshaler) NewDecoder(io.Reader) runtime.Decoder {
	return runtime.DecoderFunc(func(any) error { return errNoRequestBody })
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
