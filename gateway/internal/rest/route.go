package rest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"google.golang.org/grpc/metadata"

	"vitae.internal/gateway/internal/contract"
	"vitae.internal/gateway/internal/jsonbody"
	"vitae.internal/gateway/internal/query"
)

// Route serves one method of the contract. It reads path, query, headers and body
// itself, strictly, and gives the mux a request that holds nothing else:
// Authorization, Grpc-Timeout, X-Forwarded-*, TE and Host would go on to the
// services otherwise.
type Route struct {
	method contract.Method
	mux    http.Handler
	errors Errors

	// path is one that the mux takes for the method's; the parameters go round it.
	path   string
	body   *jsonbody.Form // nil for a method that takes no body
	query  *query.Form
	answer *shape
}

// NewRoute makes the route of a method whose service is registered on the mux.
func NewRoute(m contract.Method, mux http.Handler, e Errors) (*Route, error) {
	r := &Route{method: m, mux: mux, errors: e, path: m.Template}
	for _, code := range m.Codes {
		if _, public := StatusOf(code); !public {
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
	raw, err := ReadJSON(r)
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
			return NotFound()
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
				return contract.Invalid(name, "must hold visible ASCII characters only")
			}
			if c.metadata == nil {
				c.metadata = metadata.MD{}
			}
			c.metadata.Append(name, line)
		}
	}
	return nil
}

// ReadJSON reads a body that is said to be JSON. Its text is not looked at. Errors:
// UNSUPPORTED_MEDIA_TYPE, PAYLOAD_TOO_LARGE, PUBLIC_API_VALIDATION_ERROR.
func ReadJSON(r *http.Request) ([]byte, error) {
	types := r.Header.Values("Content-Type")
	if len(types) != 1 {
		return nil, errNotJSON
	}
	if mediaType, _, err := mime.ParseMediaType(types[0]); err != nil || mediaType != contentTypeJSON {
		return nil, errNotJSON
	}
	for _, coding := range r.Header.Values("Content-Encoding") {
		if coding != "" && !strings.EqualFold(coding, "identity") {
			return nil, errEncoded
		}
	}
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, bodyError(err)
	}
	return raw, nil
}

var (
	errNotJSON = unsupportedType("The request body must be application/json.")
	errEncoded = unsupportedType("The request body must have no content coding.")
)

func bodyError(err error) error {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return PayloadTooLarge()
	}
	return contract.Invalid("body", "could not be read").WithCause(err)
}
