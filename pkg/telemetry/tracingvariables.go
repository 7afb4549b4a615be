package telemetry

import (
	"context"
	"fmt"
	"os"
	"strings"

	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/propagation"
)

// traceVariables holds the standard variables that neither the SDK nor its exporters read
// (https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/). The
// exporters themselves read the endpoint, headers, timeout, compression and certificates, from both
// the general variables (OTEL_EXPORTER_OTLP_…) and the variables for traces
// (OTEL_EXPORTER_OTLP_TRACES_…).
type traceVariables struct {
	on         bool
	protocol   string
	propagator propagation.TextMapPropagator
}

// readTraceVariables reads the variables. It returns an error for unsupported values instead of
// ignoring them. Otherwise, no one would notice that a process exports its traces nowhere, or to
// the wrong place.
func readTraceVariables() (v traceVariables, err error) {
	if v.propagator, err = propagatorOf(first("OTEL_PROPAGATORS")); err != nil {
		return v, err
	}
	endpoint := first("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT") != ""
	switch to := first("OTEL_TRACES_EXPORTER"); to {
	case "":
		v.on = endpoint
	case "otlp": // if no endpoint is set, the default one is used
		v.on = true
	case "none":
	default:
		return v, fmt.Errorf("OTEL_TRACES_EXPORTER is %q, but must be otlp or none", to)
	}
	switch v.protocol = first("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"); v.protocol {
	case "":
		v.protocol = protocolGRPC
	case protocolGRPC, protocolHTTP:
	default:
		return v, fmt.Errorf("OTEL_EXPORTER_OTLP_PROTOCOL is %q, but must be grpc or http/protobuf", v.protocol)
	}
	if strings.EqualFold(first("OTEL_SDK_DISABLED"), "true") {
		v.on = false
	}
	return v, nil
}

const (
	protocolGRPC = "grpc"
	protocolHTTP = "http/protobuf"
)

func (v traceVariables) exporter(ctx context.Context) (*otlptrace.Exporter, error) {
	if v.protocol == protocolHTTP {
		return otlptracehttp.New(ctx)
	}
	return otlptracegrpc.New(ctx)
}

// propagatorOf returns the propagator that passes trace context between services. Trace context
// from a client of the gateway is never used.
func propagatorOf(names string) (propagation.TextMapPropagator, error) {
	if names == "" {
		return propagation.TraceContext{}, nil
	}
	var all []propagation.TextMapPropagator
	for name := range strings.SplitSeq(names, ",") {
		switch name = strings.TrimSpace(name); name {
		case "tracecontext":
			all = append(all, propagation.TraceContext{})
		case "baggage":
			all = append(all, propagation.Baggage{})
		case "none":
		default:
			return nil, fmt.Errorf("OTEL_PROPAGATORS contains %q, but allows only tracecontext, baggage and none", name)
		}
	}
	return propagation.NewCompositeTextMapPropagator(all...), nil
}

// first returns the first non-empty value of the variables.
func first(names ...string) string {
	for _, name := range names {
		if value := strings.TrimSpace(os.Getenv(name)); value != "" {
			return value
		}
	}
	return ""
}
