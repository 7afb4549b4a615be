package grpcserver_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"

	"go.opentelemetry.io/otel/propagation"
	"google.golang.org/grpc/metadata"

	"vitae.internal/pkg/id"
	"vitae.internal/pkg/telemetry"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

func TestServiceContinuesCallersTrace(t *testing.T) {
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1")
	t.Setenv("OTEL_TRACES_SAMPLER", "always_off") // so that nothing is sent
	end, err := telemetry.StartTracing(t.Context(), "auth", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer end(t.Context())
	carried := propagation.MapCarrier{}
	part := &auditedPart{during: func(ctx context.Context) { propagation.TraceContext{}.Inject(ctx, carried) }}
	const trace, span = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"
	ctx := metadata.AppendToOutgoingContext(t.Context(), "traceparent", "00-"+trace+"-"+span+"-00")
	developers := authv1.NewDeveloperServiceClient(serveAudited(t, part, &recorder{}, quiet)("vitaectl"))
	if _, err := developers.DeleteApiKey(ctx, &authv1.DeleteApiKeyRequest{Id: id.New("key")}); err != nil {
		t.Fatal(err)
	}
	if got := carried.Get("traceparent"); !strings.Contains(got, trace) || strings.Contains(got, span) {
		t.Errorf("the handler's span is %q, want a new span in trace %s", got, trace)
	}
}
