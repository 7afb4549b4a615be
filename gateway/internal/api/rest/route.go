package rest

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"google.golang.org/grpc/metadata"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/api/contract"
	"vitae.internal/gateway/internal/api/jsonbody"
	"vitae.internal/gateway/internal/api/query"
	"vitae.internal/gateway/internal/chain"
	"vitae.internal/pkg/fault"
)

// Route serves one method of the contract. It reads path, query, headers and body
// itself, strictly, and gives the mux a request that holds nothing else:
// Authorization, Grpc-Timeout, X-Forwarded-*, TE and Host would go on to the
// services otherwise.
type Route struct {
	method contract.Method
	mux    http.Handler
	errors answer.Errors

	// path is one that the mux takes for the method's; the parameters go round it.
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

// ServeHTTP implements http.Handler. The parameters of the path are the request's
// path values, under their names in the template.
func (rt *Route) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c := &call{ResponseWriter: w, route: rt, status: rt.method.Status}
	prepared, err := rt.prepare(c, r)
	if err != nil {
		rt.errors.Write(w, r, err)
		return
	}
	rt.mux.ServeHTTP(c, prepared)
}

func (rt *Route) prepare(c *call, r *http.Request) (*http.Request, error) {
	if err := rt.bind(c, r); err != nil {
		return nil, err
	}
	form, err := rt.query.Parse(r.URL.RawQuery)
	if err != nil {
		return nil, err
	}
	if err := rt.handOn(c, r.Header); err != nil {
		return nil, err
	}
	prepared := (&http.Request{
		Method: rt.method.HTTPMethod, URL: &url.URL{Path: rt.path}, Header: http.Header{}, Body: http.NoBody, Form: form,
	}).WithContext(context.WithValue(r.Context(), callKey{}, c))
	if form == nil {
		prepared.Form = url.Values{} // the mux would look for one itself
	}
	if rt.body == nil {
		return prepared, nil // whatever was sent
	}
	raw, err := chain.ReadJSON(r)
	if err != nil {
		return nil, err
	}
	prepared.Body = &body{raw: raw, call: c}
	return prepared, nil
}

// bind takes the parameters of the path. What is no text names nothing that is
// there, and has no wire form.
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

// handOn takes the headers that the method wants, line by line.
func (rt *Route) handOn(c *call, h http.Header) error {
	for _, name := range rt.method.Headers {
		for _, line := range h.Values(name) {
			if strings.IndexFunc(line, func(r rune) bool { return r < 0x20 || r > 0x7e }) >= 0 {
				return fault.InJSON(name, "must hold visible ASCII characters only")
			}
			if c.metadata == nil {
				c.metadata = metadata.MD{}
			}
			c.metadata.Append(name, line)
		}
	}
	return nil
}
