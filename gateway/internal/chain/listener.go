package chain

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"runtime/debug"
	"strings"
	"time"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/pkg/grpcx"
	"vitae.internal/pkg/id"
)

// RequestIDHeader is the response header with the request id
// (behaviour: requests#request-id).
const RequestIDHeader = "X-Request-Id"

// listener is the outer part of the chain, which runs before the router.
type listener struct {
	Config
	Door
	meter meter
}

func (l listener) wrap(next http.Handler) http.Handler {
	return l.identify(l.observe(l.recover(l.headers(next))))
}

// identify assigns a request id and drops headers with which a client could pose as a
// proxy or as an internal service (behaviour: requests#headers-from-outside).
func (l listener) identify(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requestID := id.New("req")
		exchange := &Exchange{ClientIP: l.Proxies.clientIP(r), Route: unmatched, Fail: l.Fail, listener: l.Name, memory: l.Memory}
		defer exchange.release()
		w.Header().Set(RequestIDHeader, requestID)
		if len(r.TransferEncoding) > 0 {
			// The request may also have had a Content-Length, which net/http has dropped. A
			// proxy that used the length would read the rest of the body as another request
			// (RFC 9112 §6.1), so the connection must not be reused.
			w.Header().Set("Connection", "close")
		}
		ctx := grpcx.WithOutside(r.Context(), grpcx.Outside{RequestID: requestID, ClientAddress: exchange.ClientIP})
		ctx = answer.WithReported(context.WithValue(ctx, exchangeKey{}, exchange), &exchange.Reported)
		r = r.WithContext(ctx)
		r.Header = withoutForged(r.Header)
		next.ServeHTTP(w, r)
	})
}

// withoutForged returns h itself in the usual case that there is nothing to drop.
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

func (l listener) observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start, seen := time.Now(), &seenResponse{ResponseWriter: w}
		ctx, span := startSpan(r.Context())
		if ctx != r.Context() {
			r = r.WithContext(ctx)
		}
		defer func() {
			took, route := time.Since(start), ExchangeOf(r.Context()).Route
			l.meter.count(route, r.Method, counted(r.Context(), seen.Status()), took)
			endSpan(ctx, span, route, r.Method, seen.Status())
			l.log(r.Context(), line{method: knownMethod(r.Method), route: route, status: seen.Status(), bytes: seen.bytes, took: took})
			l.record(r, start, took, seen)
		}()
		next.ServeHTTP(seen, r)
	})
}

// record passes the request to Usage if its account is known.
func (l listener) record(r *http.Request, start time.Time, took time.Duration, seen *seenResponse) {
	exchange := ExchangeOf(r.Context())
	if exchange.Caller.AccountID == "" {
		return
	}
	answered := Record{
		At: start, RequestID: grpcx.RequestID(r.Context()), AccountID: exchange.Caller.AccountID, AppID: exchange.Caller.AppID,
		APIKeyID: exchange.Caller.APIKeyID, ConnectionID: exchange.Caller.ConnectionID, Method: knownMethod(r.Method), Route: exchange.Route,
		Status: seen.Status(), Latency: took, Bytes: seen.bytes, ChargedAt: exchange.ChargedAt,
		Code: exchange.Reported.Code, Message: recordable(exchange.Reported.Message, maxMessage), OtherFaults: otherFaults(exchange.Reported.Others), ResourceID: exchange.ResourceID, ClientAddress: exchange.ClientIP, UserAgent: userAgent(r.UserAgent()),
		Limits: exchange.Limits,
	}
	if r.Method == http.MethodHead {
		answered.Bytes = 0 // net/http does not send the body of a HEAD response
	}
	l.Usage.Record(answered)
}

func (l listener) recover(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			p := recover()
			if p == nil {
				return
			}
			if p == http.ErrAbortHandler { //nolint:errorlint // net/http compares with == too
				panic(p)
			}
			l.Log.ErrorContext(r.Context(), "panic", "request_id", grpcx.RequestID(r.Context()),
				"panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			if seen, ok := w.(*seenResponse); ok && seen.status != 0 {
				panic(http.ErrAbortHandler) // the client must not mistake half a response for a complete one
			}
			Fail(w, r, fmt.Errorf("panic: %v", p))
		}()
		next.ServeHTTP(w, r)
	})
}

func (l listener) headers(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, values := range l.Headers {
			w.Header()[name] = values
		}
		next.ServeHTTP(w, r)
	})
}

// DataHeaders returns the security headers of a listener that serves data, not pages.
func DataHeaders() http.Header {
	return http.Header{
		"X-Content-Type-Options":  {"nosniff"},
		"Referrer-Policy":         {"no-referrer"},
		"Content-Security-Policy": {"default-src 'none'; frame-ancestors 'none'"},
	}
}

// seenResponse records the status and the size of the response.
type seenResponse struct {
	http.ResponseWriter
	status int
	bytes  int64
}

// Status returns the status that the client receives: 200 if the handler sets none.
func (s *seenResponse) Status() int {
	if s.status == 0 {
		return http.StatusOK
	}
	return s.status
}

// Unwrap lets http.ResponseController reach the connection (net/http requires it).
func (s *seenResponse) Unwrap() http.ResponseWriter { return s.ResponseWriter }

func (s *seenResponse) WriteHeader(status int) {
	if s.status == 0 && status >= http.StatusOK {
		s.status = status
	}
	s.ResponseWriter.WriteHeader(status)
}

func (s *seenResponse) Write(b []byte) (int, error) {
	if s.status == 0 {
		s.status = http.StatusOK
	}
	n, err := s.ResponseWriter.Write(b)
	s.bytes += int64(n)
	return n, err
}
