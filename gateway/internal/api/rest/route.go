package rest

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"unicode/utf8"

	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/reflect/protoreflect"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/api/query"
	"vitae.internal/gateway/internal/chain"
	"vitae.internal/gateway/internal/contract"
	"vitae.internal/gateway/internal/jsonbody"
	"vitae.internal/pkg/fault"
)

// Route serves one method of the contract. It reads the path, query, headers and body strictly, and builds a
// new request for the mux from them. Otherwise, the mux would pass Authorization, Grpc-Timeout, X-Forwarded-*,
// TE and Host to the services.
type Route struct {
	method contract.Method
	mux    http.Handler
	errors answer.Errors

	// path is the path by which the mux selects the method. The real parameters are in call.params.
	path  string
	body  *jsonbody.Form // nil if the method has no body
	query *query.Form
	shape *shape
}

// NewRoute returns the route for a method whose service is registered on the mux.
func NewRoute(m contract.Method, mux http.Handler, e answer.Errors) (*Route, error) {
	r := &Route{method: m, mux: mux, errors: e, path: m.Template}
	for _, code := range m.Codes {
		if _, public := answer.StatusOf(code); !public {
			return nil, fmt.Errorf("rest: %s has the error code %s, which is not public", m.Descriptor.FullName(), code)
		}
	}
	for _, p := range m.Params {
		r.path = strings.Replace(r.path, "{"+p.JSON+"}", "-", 1)
	}
	var err error
	if m.TakesBody {
		if r.body, err = jsonbody.NewForm(m); err != nil {
			return nil, err
		}
	}
	if r.query, err = query.NewForm(m); err != nil {
		return nil, err
	}
	r.shape, err = newShape(m)
	return r, err
}

func (rt *Route) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := &call{ResponseWriter: w, route: rt, status: rt.method.Status}
	prepared, err := rt.prepare(c, r)
	if err != nil {
		rt.errors.Write(w, r, err)
		return
	}
	c.buffer = buffers.Get().(*[]byte)
	rt.mux.ServeHTTP(c, prepared)
	if cap(*c.buffer) <= maxPooled { // the buffer has been written, and an io.Writer must not retain it
		buffers.Put(c.buffer)
	}
}

// maxPooled limits the size of pooled buffers, in bytes.
const maxPooled = 64 << 10

// buffers is a pool of buffers for responses. Without it, they would make up a tenth of a request's
// allocations.
var buffers = sync.Pool{New: func() any {
	b := make([]byte, 0, 4096)
	return &b
}}

func (rt *Route) prepare(c *call, r *http.Request) (*http.Request, error) {
	if err := rt.bind(c, r); err != nil {
		return nil, err
	}
	form, err := rt.query.Parse(r.URL.RawQuery)
	if err != nil {
		return nil, err
	}
	if rt.method.Descriptor.FullName() == createJob {
		if err := c.takeKey(r.Header); err != nil {
			return nil, err
		}
	}
	prepared := (&http.Request{
		Method: rt.method.HTTPMethod, URL: &url.URL{Path: rt.path}, Header: http.Header{}, Body: http.NoBody, Form: form,
	}).WithContext(context.WithValue(r.Context(), callKey{}, c))
	if form == nil {
		prepared.Form = url.Values{} // if it were nil, the mux would parse the body
	}
	if rt.body == nil {
		return prepared, nil // a body is ignored (behaviour: requests#ignored-bodies)
	}
	raw, err := chain.ReadJSON(r)
	if err != nil {
		return nil, err
	}
	prepared.Body = &body{raw: raw, call: c}
	return prepared, nil
}

// bind reads the path parameters. An id that is not valid UTF-8 cannot exist, and protobuf cannot
// encode it (behaviour: requests#ids-in-a-path).
func (rt *Route) bind(c *call, r *http.Request) error {
	c.params = make(map[string]string, len(rt.method.Params))
	for _, p := range rt.method.Params {
		v := r.PathValue(p.JSON)
		if !utf8.ValidString(v) {
			return answer.NotFound()
		}
		c.params[p.Field] = v
	}
	return nil
}

const createJob protoreflect.FullName = "vitae.partnercatalog.v1.JobService.CreateJob"

const keyHeader = "Idempotency-Key"

// takeKey passes every line of Idempotency-Key on as metadata, unchanged.
func (c *call) takeKey(h http.Header) error {
	for _, line := range h.Values(keyHeader) {
		if strings.IndexFunc(line, func(r rune) bool { return r < 0x20 || r > 0x7e }) >= 0 {
			return fault.InJSON(keyHeader, "must hold visible ASCII characters only")
		}
		if c.metadata == nil {
			c.metadata = metadata.MD{}
		}
		c.metadata.Append(keyHeader, line)
	}
	return nil
}
