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

// Route serves one method of the contract. It reads path, query, headers and body
// itself, strictly, and makes a new request for the mux from them. The mux would
// hand on Authorization, Grpc-Timeout, X-Forwarded-*, TE and Host to the services.
type Route struct {
	method contract.Method
	mux    http.Handler
	errors answer.Errors

	// path makes the mux choose the method. The real parameters are in call.params.
	path   string
	body   *jsonbody.Form // nil for a method that takes no body
	query  *query.Form
	answer *shape
}

// NewRoute makes the route of a method whose service is registered on the mux.
func NewRoute(m contract.Method, mux http.Handler, e answer.Errors) (*Route, error) {
	r := &Route{method: m, mux: mux, errors: e, path: m.Template}
	for _, code := range m.Codes {
		if _, public := answer.StatusOf(code); !public {
			return nil, fmt.Errorf("rest: %s answers with %s, which is no public code", m.Descriptor.FullName(), code)
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
	r.answer, err = newShape(m)
	return r, err
}

// ServeHTTP implements http.Handler. It takes the path parameters from the path
// values of the request, by their names in the template.
func (rt *Route) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := &call{ResponseWriter: w, route: rt, status: rt.method.Status}
	prepared, err := rt.prepare(c, r)
	if err != nil {
		rt.errors.Write(w, r, err)
		return
	}
	c.answer = answers.Get().(*[]byte)
	rt.mux.ServeHTTP(c, prepared)
	// It is written. Whoever writes may not keep what was written (io.Writer).
	if cap(*c.answer) <= maxKeptAnswer {
		answers.Put(c.answer)
	}
}

// maxKeptAnswer is the most bytes of room for an answer that are kept for the next one.
const maxKeptAnswer = 64 << 10

// answers has room for the bytes of answers. Made anew, it would be a tenth of what a
// request allocates.
var answers = sync.Pool{New: func() any {
	room := make([]byte, 0, 4096)
	return &room
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

// bind reads the path parameters. An id that is not UTF-8 names nothing, and
// protobuf cannot carry it (behaviour: requests#ids-in-a-path).
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

// takeKey passes every line of Idempotency-Key on as metadata, as it was sent.
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
