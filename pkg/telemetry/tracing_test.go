package telemetry_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"go.opentelemetry.io/otel"
	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"

	"vitae.internal/pkg/telemetry"
)

// received is an export as received by the collector.
type received struct {
	header string
	spans  string
}

// collector receives spans over gRPC and HTTP.
type collector struct{ got chan received }

func (c collector) grpc(t *testing.T) (address string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer(grpc.ForceServerCodec(plain{}), grpc.UnknownServiceHandler(func(_ any, s grpc.ServerStream) error {
		var spans []byte
		if err := s.RecvMsg(&spans); err != nil {
			return err
		}
		md, _ := metadata.FromIncomingContext(s.Context())
		c.got <- received{strings.Join(md.Get("tenant"), ""), string(spans)}
		return s.SendMsg(new([]byte))
	}))
	go func() { _ = server.Serve(l) }()
	t.Cleanup(server.Stop)
	return l.Addr().String()
}

func (c collector) http(t *testing.T) (address string) {
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		spans, _ := io.ReadAll(r.Body)
		c.got <- received{r.Header.Get("Tenant"), string(spans)}
	}))
	t.Cleanup(s.Close)
	return strings.TrimPrefix(s.URL, "http://")
}

// plain is a codec that passes encoded messages through unchanged.
type plain struct{}

func (plain) Marshal(v any) ([]byte, error)      { return *v.(*[]byte), nil }
func (plain) Unmarshal(data []byte, v any) error { *v.(*[]byte) = bytes.Clone(data); return nil }
func (plain) Name() string                       { return "proto" }

func TestTracingFollowsStandardVariables(t *testing.T) {
	for name, c := range map[string]struct {
		variables map[string]string // ADDRESS is replaced with the collector's address
		http      bool
		// want lists substrings of the spans that the collector receives. If it is empty, the
		// collector must receive nothing.
		want []string
	}{
		"no variables":        {variables: map[string]string{}},
		"endpoint":            {variables: map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://ADDRESS"}, want: []string{"auth", "vitae", "the span"}},
		"endpoint for traces": {variables: map[string]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://ADDRESS"}, want: []string{"the span"}},
		"HTTP": {http: true, want: []string{"the span"},
			variables: map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://ADDRESS", "OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf"}},
		"HTTP for traces": {http: true, want: []string{"the span"},
			variables: map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://ADDRESS", "OTEL_EXPORTER_OTLP_PROTOCOL": "grpc", "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL": "http/protobuf"}},
		"headers": {variables: map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://ADDRESS", "OTEL_EXPORTER_OTLP_HEADERS": "tenant=blue"}, want: []string{"tenant blue"}},
		"headers over HTTP": {http: true, want: []string{"tenant blue"},
			variables: map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://ADDRESS", "OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf", "OTEL_EXPORTER_OTLP_HEADERS": "tenant=blue"}},
		"service name":        {variables: map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://ADDRESS", "OTEL_SERVICE_NAME": "vitae-auth-eu"}, want: []string{"vitae-auth-eu"}},
		"resource attributes": {variables: map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://ADDRESS", "OTEL_RESOURCE_ATTRIBUTES": "deployment.environment.name=blue"}, want: []string{"deployment.environment.name", "blue"}},
		"sampler":             {variables: map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://ADDRESS", "OTEL_TRACES_SAMPLER": "always_off"}},
		"ratio":               {variables: map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://ADDRESS", "OTEL_TRACES_SAMPLER": "parentbased_traceidratio", "OTEL_TRACES_SAMPLER_ARG": "0"}},
		"no exporter":         {variables: map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://ADDRESS", "OTEL_TRACES_EXPORTER": "none"}},
		"disabled":            {variables: map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://ADDRESS", "OTEL_SDK_DISABLED": "true"}},
	} {
		t.Run(name, func(t *testing.T) {
			to := collector{got: make(chan received, 10)}
			address := to.grpc(t)
			if c.http {
				address = to.http(t)
			}
			for variable, value := range c.variables {
				t.Setenv(variable, strings.ReplaceAll(value, "ADDRESS", address))
			}
			t.Cleanup(telemetry.ForgetTracing)
			flush, err := telemetry.StartTracing(t.Context(), "auth", slog.New(slog.DiscardHandler))
			if err != nil {
				t.Fatal(err)
			}
			_, span := otel.Tracer("test").Start(t.Context(), "the span")
			span.End()
			flush(t.Context()) // waits until the collector has responded
			close(to.got)
			var got string
			for r := range to.got {
				got += "tenant " + r.header + r.spans
			}
			if len(c.want) == 0 && got != "" {
				t.Errorf("the collector received %q, want nothing", got)
			}
			for _, want := range c.want {
				if !strings.Contains(got, want) {
					t.Errorf("the collector received %q, which does not contain %q", got, want)
				}
			}
		})
	}
}

func TestUnsupportedTraceVariableFails(t *testing.T) {
	for variable, value := range map[string]string{
		"OTEL_TRACES_EXPORTER": "zipkin", "OTEL_EXPORTER_OTLP_PROTOCOL": "http/json",
		"OTEL_EXPORTER_OTLP_TRACES_PROTOCOL": "udp", "OTEL_PROPAGATORS": "b3",
	} {
		t.Run(variable, func(t *testing.T) {
			t.Setenv(variable, value)
			if _, err := telemetry.StartTracing(t.Context(), "auth", slog.New(slog.DiscardHandler)); err == nil || !strings.Contains(err.Error(), value) {
				t.Errorf("%s=%s: %v", variable, value, err)
			}
		})
	}
}

func TestLogLinesContainTrace(t *testing.T) {
	to := collector{got: make(chan received, 10)}
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://"+to.grpc(t))
	t.Cleanup(telemetry.ForgetTracing)
	flush, err := telemetry.StartTracing(t.Context(), "auth", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer flush(context.WithoutCancel(t.Context()))
	var out bytes.Buffer
	log := telemetry.NewLogger(&out, "auth").With("more", 1)
	ctx, span := otel.Tracer("test").Start(t.Context(), "the span")
	defer span.End()
	log.InfoContext(ctx, "in a span")
	log.Info("outside a span")
	var lines [2]struct {
		TraceID string `json:"trace_id"`
		SpanID  string `json:"span_id"`
	}
	for i, line := range strings.Split(strings.TrimSpace(out.String()), "\n") {
		if err := json.Unmarshal([]byte(line), &lines[i]); err != nil {
			t.Fatal(err)
		}
	}
	of := span.SpanContext()
	if lines[0].TraceID != of.TraceID().String() || lines[0].SpanID != of.SpanID().String() || lines[1].TraceID != "" {
		t.Errorf("got %+v, want the ids of %v only in the first line:\n%s", lines, of, &out)
	}
}
