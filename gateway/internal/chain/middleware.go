package chain

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"runtime/debug"
	"strings"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/pkg/grpcx"
	"vitae.internal/pkg/id"
)

// RequestIDHeader is the response header that contains the request id (behaviour: requests#request-id).
const RequestIDHeader = "X-Request-Id"

// middleware is the outer part of the chain, which runs before the router.
type middleware struct {
	Config
	Listener
	meter meter
}

func (m middleware) wrap(next http.Handler) http.Handler {
	return m.identify(m.observe(m.recover(m.headers(next))))
}

// identify assigns a request id. It also drops headers with which a client could pose as a proxy or as an
// internal service (behaviour: requests#headers-from-outside).
func (m middleware) identify(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requestID := id.New("req")
		exchange := &Exchange{ClientIP: m.Proxies.clientIP(r), Route: unmatched, Fail: m.Fail, listener: m.Name, memory: m.Memory}
		defer exchange.release()
		w.Header().Set(RequestIDHeader, requestID)
		if len(r.TransferEncoding) > 0 {
			// The request may also have had a Content-Length, which net/http has dropped. A proxy that used it
			// would parse the remaining body as the next request (RFC 9112 §6.1), so the connection must not be
			// reused.
			w.Header().Set("Connection", "close")
		}
		ctx := grpcx.WithOutside(r.Context(), grpcx.Outside{RequestID: requestID, ClientAddress: exchange.ClientIP})
		ctx = answer.WithReported(context.WithValue(ctx, exchangeKey{}, exchange), &exchange.Reported)
		r = r.WithContext(ctx)
		r.Header = withoutForged(r.Header)
		next.ServeHTTP(w, r)
	})
}

// withoutForged returns h without forged headers. Usually there are none, and it returns h itself.
func withoutForged(h http.Header) http.Header {
	for name := range h {
		if isForged(name) {
			h = h.Clone()
			maps.DeleteFunc(h, func(name string, _ []string) bool { return isForged(name) })
			return h
		}
	}
	return h
}

func isForged(name string) bool {
	return strings.HasPrefix(name, "Grpc-") || strings.HasPrefix(name, "X-Forwarded-") ||
		name == "Forwarded" || name == "X-Real-Ip" || name == RequestIDHeader
}

func (m middleware) recover(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			p := recover()
			if p == nil {
				return
			}
			if p == http.ErrAbortHandler { //nolint:errorlint // net/http compares with == too
				panic(p)
			}
			m.Log.ErrorContext(r.Context(), "panic", "request_id", grpcx.RequestID(r.Context()),
				"panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			if seen, ok := w.(*seenResponse); ok && seen.status != 0 {
				panic(http.ErrAbortHandler) // the client must not mistake a partial response for a complete one
			}
			Fail(w, r, fmt.Errorf("panic: %v", p))
		}()
		next.ServeHTTP(w, r)
	})
}

func (m middleware) headers(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, values := range m.Headers {
			w.Header()[name] = values
		}
		next.ServeHTTP(w, r)
	})
}

// DataHeaders returns the security headers of a listener that serves data instead of pages.
func DataHeaders() http.Header {
	return http.Header{
		"X-Content-Type-Options":  {"nosniff"},
		"Referrer-Policy":         {"no-referrer"},
		"Content-Security-Policy": {"default-src 'none'; frame-ancestors 'none'"},
	}
}
