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

// tracing is set once, before the part makes servers and clients.
var tracing atomic.Bool

// ServerTraces makes a span for each call that a gRPC server takes; nil where spans go
// nowhere.
func ServerTraces() stats.Handler {
	if !Tracing() {
		return nil
	}
	return otelgrpc.NewServerHandler()
}

// ClientTraces makes a span for each call of a gRPC connection; nil where spans go
// nowhere.
func ClientTraces() stats.Handler {
	if !Tracing() {
		return nil
	}
	return otelgrpc.NewClientHandler()
}

// Tracing reports whether spans go anywhere. Where they do not, none are made: they
// are a tenth of the allocations of a call.
func Tracing() bool { return tracing.Load() }

// StartTracing sends spans to the collector that the standard OTEL_ variables name
// (tracingvariables.go). Without one it does nothing. The returned function sends what is
// left.
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
	// OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES come last and so replace the name of
	// the part.
	about, err := resource.New(ctx, resource.WithAttributes(semconv.ServiceName(part), semconv.ServiceNamespace("vitae")),
		resource.WithTelemetrySDK(), resource.WithHost(), resource.WithProcessPID(), resource.WithFromEnv())
	if err != nil && !errors.Is(err, resource.ErrPartialResource) {
		return nil, fmt.Errorf("telemetry: OTEL_RESOURCE_ATTRIBUTES: %w", err)
	}
	// A collector that is away must not fill the log of a part: the SDK tries again.
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { log.Debug("traces are lost", "error", err) }))
	// The sampler, the limits of spans and the batches are as OTEL_TRACES_SAMPLER,
	// OTEL_SPAN_…_LIMIT and OTEL_BSP_… say, which the SDK reads itself.
	provider := trace.NewTracerProvider(trace.WithBatcher(exporter), trace.WithResource(about))
	otel.SetTracerProvider(provider)
	tracing.Store(true)
	return func(ctx context.Context) {
		ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
		defer cancel()
		_ = provider.Shutdown(ctx) // the process ends; nothing can be done about an error
	}, nil
}
