package telemetry

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/contrib/instrumentation/google.golang.org/grpc/otelgrpc"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/sdk/resource"
	"go.opentelemetry.io/otel/sdk/trace"
	semconv "go.opentelemetry.io/otel/semconv/v1.40.0"
	"google.golang.org/grpc/stats"
)

// tracing reports whether spans are exported. It is set once, before the service creates servers and
// clients.
var tracing atomic.Bool

// ServerTraces returns a handler that creates a span for each call to a gRPC server, or nil if tracing
// is off.
func ServerTraces() stats.Handler {
	if !Tracing() {
		return nil
	}
	return otelgrpc.NewServerHandler()
}

// ClientTraces returns a handler that creates a span for each call on a gRPC connection, or nil if
// tracing is off.
func ClientTraces() stats.Handler {
	if !Tracing() {
		return nil
	}
	return otelgrpc.NewClientHandler()
}

// Tracing reports whether spans are exported. If it returns false, no spans are created, because
// creating them causes a tenth of the allocations of a call.
func Tracing() bool { return tracing.Load() }

// StartTracing starts to export spans to the collector named by the standard OTEL_ variables
// (tracingvariables.go). It does nothing if no collector is named. The returned function flushes the
// remaining spans.
func StartTracing(ctx context.Context, part string, log *slog.Logger) (func(context.Context), error) {
	v, err := readTraceVariables()
	if err != nil {
		return nil, fmt.Errorf("telemetry: %w", err)
	}
	otel.SetTextMapPropagator(v.propagator)
	if !v.on {
		return func(context.Context) {}, nil
	}
	exporter, err := v.exporter(ctx)
	if err != nil {
		return nil, fmt.Errorf("telemetry: trace exporter: %w", err)
	}
	// OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES come last, so that they override the service's
	// name.
	about, err := resource.New(ctx, resource.WithAttributes(semconv.ServiceName(part), semconv.ServiceNamespace("vitae")),
		resource.WithTelemetrySDK(), resource.WithHost(), resource.WithProcessPID(), resource.WithFromEnv())
	if err != nil && !errors.Is(err, resource.ErrPartialResource) {
		return nil, fmt.Errorf("telemetry: OTEL_RESOURCE_ATTRIBUTES: %w", err)
	}
	// An unreachable collector must not fill the service's log: the SDK retries.
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { log.Debug("cannot export traces", "error", err) }))
	// The SDK itself reads OTEL_TRACES_SAMPLER, OTEL_SPAN_…_LIMIT and OTEL_BSP_… (sampler, span limits
	// and batches).
	provider := trace.NewTracerProvider(trace.WithBatcher(exporter), trace.WithResource(about))
	otel.SetTracerProvider(provider)
	tracing.Store(true)
	return func(ctx context.Context) {
		ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
		defer cancel()
		_ = provider.Shutdown(ctx) // the process is exiting, so an error cannot be handled
	}, nil
}
