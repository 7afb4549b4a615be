package daemon_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"google.golang.org/grpc/health/grpc_health_v1"

	"vitae.internal/pkg/daemon"
	"vitae.internal/pkg/inprocess"
	"vitae.internal/pkg/telemetry"
)

// nowhere is an address at which nobody listens.
const nowhere = "127.0.0.1:1"

// neighbours runs the part "candidate" with process and gives a way to ask it, at an address
// where nobody listens.
func neighbours(t *testing.T, process *inprocess.Process) (ask func(...daemon.Option) error) {
	t.Helper()
	quiet, who := slog.New(slog.DiscardHandler), identity(t)
	part := &daemon.Part{Name: "candidate", Addr: "127.0.0.1:0", Identity: who, Service: &service{}, Log: quiet, Process: process}
	ctx, stop := context.WithCancel(t.Context())
	served := make(chan error, 1)
	go func() { served <- part.Serve(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return func(more ...daemon.Option) error {
		conn, err := daemon.Dial(nowhere, "candidate", who, quiet, more...)
		if err != nil {
			return err
		}
		defer conn.Close()
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		_, err = grpc_health_v1.NewHealthClient(conn).Check(ctx, &grpc_health_v1.HealthCheckRequest{})
		return err
	}
}

func TestPartsOfOneProcessReachEachOtherThereUnlessTheySendTraces(t *testing.T) {
	process := inprocess.NewProcess()
	ask := neighbours(t, process)
	end := time.Now().Add(20 * time.Second)
	err := ask(daemon.Within(process))
	for ; err != nil && time.Now().Before(end); err = ask(daemon.Within(process)) { // until it serves
	}
	if err != nil {
		t.Error(err)
	}
	if ask() == nil || ask(daemon.Within(nil)) == nil {
		t.Error("a part without the process is answered")
	}
	// The transport of gRPC makes the spans. No test can follow in which none are made.
	t.Setenv("OTEL_EXPORTER_OTLP_ENDPOINT", "http://"+nowhere)
	t.Setenv("OTEL_TRACES_SAMPLER", "always_off") // nothing is sent there
	flush, err := telemetry.StartTracing(t.Context(), "gateway", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer flush(context.WithoutCancel(t.Context()))
	if ask(daemon.Within(process)) == nil {
		t.Error("a call without spans is answered")
	}
}
