package chain

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"vitae.internal/pkg/grpcx"
	"vitae.internal/pkg/telemetry"
)

func (m middleware) observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start, seen := time.Now(), &seenResponse{ResponseWriter: w}
		ctx, span := startSpan(r.Context())
		if ctx != r.Context() {
			r = r.WithContext(ctx)
		}
		defer func() {
			took, route := time.Since(start), ExchangeOf(r.Context()).Route
			m.meter.count(route, r.Method, counted(r.Context(), seen.Status()), took)
			endSpan(ctx, span, route, r.Method, seen.Status())
			m.log(r.Context(), line{method: knownMethod(r.Method), route: route, status: seen.Status(), bytes: seen.bytes, took: took})
			m.record(r, start, took, seen)
		}()
		next.ServeHTTP(seen, r)
	})
}

// record passes the request to Usage if its account is known.
func (m middleware) record(r *http.Request, start time.Time, took time.Duration, seen *seenResponse) {
	exchange := ExchangeOf(r.Context())
	if exchange.Caller.AccountID == "" {
		return
	}
	answered := Record{
		At: start, RequestID: grpcx.RequestID(r.Context()), Caller: exchange.Caller, Method: knownMethod(r.Method), Route: exchange.Route, Reads: exchange.Reads,
		Status: seen.Status(), Latency: took, Bytes: seen.bytes, ChargedAt: exchange.ChargedAt, Limits: exchange.Limits,
		Code: exchange.Reported.Code, Message: recordable(exchange.Reported.Message, maxMessage), OtherFaults: otherFaults(exchange.Reported.Others),
		ResourceID: exchange.ResourceID, ClientAddress: exchange.ClientIP, UserAgent: userAgent(r.UserAgent()),
	}
	if r.Method == http.MethodHead {
		answered.Bytes = 0 // net/http does not send the body of a HEAD response
	}
	m.Usage.Record(answered)
}

// line holds the fields of a request's log line that are not in its Exchange.
type line struct {
	method, route string
	status        int
	bytes         int64
	took          time.Duration
}

// log writes the log line of a request. It builds the record itself, because slog's methods look up the source
// line for every record, which the logs do not contain.
func (m middleware) log(ctx context.Context, said line) {
	handler := m.Log.Handler()
	if !handler.Enabled(ctx, slog.LevelInfo) {
		return
	}
	exchange := ExchangeOf(ctx)
	record := slog.NewRecord(time.Now(), slog.LevelInfo, "request", 0)
	record.AddAttrs(
		slog.String("request_id", grpcx.RequestID(ctx)), slog.String("method", said.method), slog.String("route", said.route),
		slog.Int("status", said.status), slog.Int64("bytes", said.bytes), slog.Float64("duration_ms", float64(said.took.Microseconds())/1000),
		slog.String("client_address", exchange.ClientIP), slog.String("app", exchange.Caller.AppID), slog.String("account", exchange.Caller.AccountID),
	)
	_ = handler.Handle(ctx, record) // slog ignores this error too, because a logging failure cannot be logged
}

var tracer = otel.Tracer("vitae.internal/gateway")

// startSpan starts a new trace for the request and its calls to the services. It ignores the client's trace id,
// which may be forged. If tracing is off, it returns ctx itself.
func startSpan(ctx context.Context) (context.Context, trace.Span) {
	if !telemetry.Tracing() {
		return ctx, trace.SpanFromContext(ctx)
	}
	return tracer.Start(ctx, "request", trace.WithSpanKind(trace.SpanKindServer), trace.WithNewRoot())
}

func endSpan(ctx context.Context, span trace.Span, route, method string, status int) {
	if span.IsRecording() {
		span.SetName(knownMethod(method) + " " + route)
		span.SetAttributes(
			attribute.String("http.route", route),
			attribute.String("http.request.method", knownMethod(method)),
			attribute.Int("http.response.status_code", status),
			attribute.String("vitae.request_id", grpcx.RequestID(ctx)),
		)
		if status >= 500 {
			span.SetStatus(codes.Error, "")
		}
	}
	span.End()
}

// seenResponse records the status and the size of the response.
type seenResponse struct {
	http.ResponseWriter
	status int
	bytes  int64
}

// Status returns the status that the client receives. It is 200 if the handler sets none.
func (s *seenResponse) Status() int {
	if s.status == 0 {
		return http.StatusOK
	}
	return s.status
}

// Unwrap lets http.ResponseController reach the connection, as net/http requires.
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
