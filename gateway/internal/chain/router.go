package chain

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"vitae.internal/gateway/internal/answer"
)

// Route is one method and path. All fields except AnyOrigin and Reads are required.
type Route struct {
	Method string
	// Template is the path. A segment in braces matches any single segment.
	Template string
	// Fail writes errors in the format of the route.
	Fail    answer.ErrorWriter
	Timeout time.Duration
	// Handler serves the route. It checks the credential itself, with package admission.
	Handler http.Handler
	// AnyOrigin lets web pages from any origin call the route and read its responses, including
	// errors (behaviour: requests#calls-from-browsers). It must be the same for all routes of a
	// path.
	AnyOrigin bool
	// Reads describes the data that a successful request reads, in the words of RequestEntry.reads. It is "" if the
	// request reads no data of that kind.
	Reads string
}

// router finds the route of a request. http.ServeMux is unsuitable: it redirects paths that are not canonical, decodes
// %2F within an id, and writes 404 and 405 before a handler can choose their format. Comparing the 25 or so routes one
// by one costs little compared with a Redis round trip.
type router struct {
	routes []compiled
	fail   answer.ErrorWriter
}

type compiled struct {
	Route
	segments []string
}

// newRouter builds a router. fail responds to requests that match no route. newRouter returns an error if the
// table contains a duplicate route.
func newRouter(routes []Route, fail answer.ErrorWriter) (*router, error) {
	r := &router{fail: fail}
	seen := map[string]bool{}
	for _, one := range routes {
		if key := one.Method + " " + one.Template; seen[key] {
			return nil, fmt.Errorf("router: %s is served twice", key)
		} else {
			seen[key] = true
		}
		r.routes = append(r.routes, compiled{one, strings.Split(one.Template, "/")})
	}
	return r, nil
}

func (r *router) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	segments, ok := segmentsOf(req.URL)
	var allowed []string
	var anyOrigin bool
	for _, one := range r.routes {
		if !ok || !one.matches(segments) {
			continue
		}
		if anyOrigin = one.AnyOrigin; anyOrigin {
			allowAnyOrigin(w.Header())
		}
		if one.Method != req.Method && (one.Method != http.MethodGet || req.Method != http.MethodHead) {
			allowed = append(allowed, allow(one.Method)...)
			ExchangeOf(req.Context()).Route = one.Template
			continue
		}
		exchange := ExchangeOf(req.Context())
		exchange.Route, exchange.Fail, exchange.Reads = one.Template, one.Fail, one.Reads
		for i, s := range one.segments {
			if name, isParameter := parameter(s); isParameter {
				req.SetPathValue(name, segments[i])
				exchange.ResourceID = resourceID(name, segments[i])
			}
		}
		one.Handler.ServeHTTP(w, req)
		return
	}
	if allowed == nil {
		r.fail(w, req, answer.NotFound())
		return
	}
	slices.Sort(allowed)
	allowed = slices.Compact(allowed)
	if anyOrigin && isPreflight(req) {
		answerPreflight(w, allowed)
		return
	}
	w.Header().Set("Allow", strings.Join(allowed, ", "))
	r.fail(w, req, answer.MethodNotAllowed())
}

func allow(method string) []string {
	if method == http.MethodGet {
		return []string{http.MethodGet, http.MethodHead}
	}
	return []string{method}
}

func (c compiled) matches(segments []string) bool {
	if len(segments) != len(c.segments) {
		return false
	}
	for i, s := range c.segments {
		if _, isParameter := parameter(s); isParameter {
			if segments[i] == "" {
				return false
			}
		} else if s != segments[i] {
			return false
		}
	}
	return true
}

func parameter(segment string) (name string, ok bool) {
	name, opened := strings.CutPrefix(segment, "{")
	name, closed := strings.CutSuffix(name, "}")
	return name, opened && closed
}

// segmentsOf splits the path before it decodes the segments, so that an encoded slash cannot add a segment. A
// decoded segment that contains a slash or NUL matches no route.
func segmentsOf(u *url.URL) ([]string, bool) {
	segments := strings.Split(u.EscapedPath(), "/")
	for i, s := range segments {
		decoded, err := url.PathUnescape(s)
		if err != nil || strings.ContainsAny(decoded, "/\x00") {
			return nil, false
		}
		segments[i] = decoded
	}
	return segments, true
}

// ExposedHeaders lists the response headers that web pages from other origins may read, in addition to
// the safelisted ones (https://fetch.spec.whatwg.org/#cors-safelisted-response-header-name).
const ExposedHeaders = "x-request-id, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset, " +
	"x-quota-limit, x-quota-remaining, x-quota-reset, RateLimit-Policy, RateLimit, Retry-After, ETag"

const (
	allowedHeaders = "Authorization, Content-Type, If-None-Match"
	// preflightMaxAge is how long browsers may cache a preflight response, in seconds. They cap it
	// at a day or less.
	preflightMaxAge = "86400"
)

// allowAnyOrigin lets web pages from any origin read the response. This is safe because the API has no
// cookies, so a page can only send a credential that it already has.
func allowAnyOrigin(h http.Header) {
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Access-Control-Expose-Headers", ExposedHeaders)
}

// isPreflight reports whether r is a CORS preflight request
// (https://fetch.spec.whatwg.org/#cors-preflight-request).
func isPreflight(r *http.Request) bool {
	return r.Method == http.MethodOptions && r.Header.Get("Origin") != "" && r.Header.Get("Access-Control-Request-Method") != ""
}

func answerPreflight(w http.ResponseWriter, methods []string) {
	h := w.Header()
	h.Set("Access-Control-Allow-Methods", strings.Join(methods, ", "))
	h.Set("Access-Control-Allow-Headers", allowedHeaders)
	h.Set("Access-Control-Max-Age", preflightMaxAge)
	w.WriteHeader(http.StatusNoContent)
}
