package chain

import (
	"net/http"
	"strings"
)

// ExposedHeaders are what a page of another origin may read of an answer, beside what
// it always may (https://fetch.spec.whatwg.org/#cors-safelisted-response-header-name).
const ExposedHeaders = "x-request-id, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset, " +
	"x-quota-limit, x-quota-remaining, x-quota-reset, RateLimit-Policy, RateLimit, Retry-After, ETag"

const (
	// sentHeaders are what such a page may send.
	sentHeaders = "Authorization, Content-Type, If-None-Match"
	// preflightLife is how long a browser may keep the answer to a preflight, in seconds.
	// Browsers cut it to a day or less.
	preflightLife = "86400"
)

// openToOrigins lets pages of any origin read the answer. There are no credentials that
// a browser adds by itself, so no page gets more than its own credential gives.
func openToOrigins(h http.Header) {
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("Access-Control-Expose-Headers", ExposedHeaders)
}

// isPreflight reports whether a browser asks if a page may send a request
// (https://fetch.spec.whatwg.org/#cors-preflight-request).
func isPreflight(r *http.Request) bool {
	return r.Method == http.MethodOptions && r.Header.Get("Origin") != "" && r.Header.Get("Access-Control-Request-Method") != ""
}

// answerPreflight says which methods a page may send to the path.
func answerPreflight(w http.ResponseWriter, methods []string) {
	h := w.Header()
	h.Set("Access-Control-Allow-Methods", strings.Join(methods, ", "))
	h.Set("Access-Control-Allow-Headers", sentHeaders)
	h.Set("Access-Control-Max-Age", preflightLife)
	w.WriteHeader(http.StatusNoContent)
}
