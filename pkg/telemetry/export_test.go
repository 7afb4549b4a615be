package telemetry

import (
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/trace/noop"
)

// ForgetTracing turns tracing off again after a test.
func ForgetTracing() {
	tracing.Store(false)
	otel.SetTracerProvider(noop.NewTracerProvider())
}
