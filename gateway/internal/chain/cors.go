package chain

import (
	"net/http"
	"strings"
)

// ExposedHeaders lists the response headers that pages of other origins may read, in
// addition to the safelisted ones
// (https://fetch.spec.whatwg.org/#cors-safelisted-response-header-name).
const ExposedHeaders = "x-request-id, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset, " +
	"x-quota-limit, x-quota-remaining, x-quota-reset, RateLimit-Policy, RateLimit, Retry-After, ETag"

const (
	allowedHeaders = "Authorization, Content-Type, If-None-Match"
	// preflightMaxAge is in seconds. Browsers cap it at a day or less.
	preflightMaxAge = "86400"
)

// allowAnyOrigin lets pages of any origin read the response. That is safe because the API
// uses no cookies: a page can only use a credential that it already has.
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
