package chain

import (
	"context"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"

	"vitae.internal/pkg/grpcx"
	"vitae.internal/pkg/telemetry"
)

var tracer = otel.Tracer("vitae.internal/gateway")

// startSpan begins a new trace for the request and its calls to the services. It ignores
// the client's trace id, which may be forged. Without tracing it returns ctx itself.
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
