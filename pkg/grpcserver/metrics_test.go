package grpcserver_test

import (
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// metric returns the sum of all series of a metric that have the labels.
func metric(t *testing.T, name string, labels map[string]string) (sum float64) {
	t.Helper()
	families, err := prometheus.DefaultGatherer.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if f.GetName() != name {
			continue
		}
		for _, m := range f.GetMetric() {
			same := 0
			for _, l := range m.GetLabel() {
				if labels[l.GetName()] == l.GetValue() {
					same++
				}
			}
			if same == len(labels) {
				sum += m.GetCounter().GetValue() + m.GetGauge().GetValue()
			}
		}
	}
	return sum
}

// labels returns the labels of calls to a method with a status code.
func labels(fullMethod, code string) map[string]string {
	service, method, _ := strings.Cut(strings.TrimPrefix(fullMethod, "/"), "/")
	return map[string]string{"grpc_service": service, "grpc_method": method, "grpc_code": code}
}

func TestRefusedAndPanickedCallsAreCounted(t *testing.T) {
	const started, handled = "grpc_server_started_total", "grpc_server_handled_total"
	ok := labels(candidatev1.MeService_GetMe_FullMethodName, "OK")
	refused := labels(candidatev1.MeService_GetMe_FullMethodName, "PermissionDenied")
	panicked := labels(candidatev1.MeService_GetSharedCv_FullMethodName, "Internal")
	counted := func() [3]float64 {
		return [3]float64{metric(t, handled, ok), metric(t, handled, refused), metric(t, handled, panicked)}
	}
	before := counted()
	dial := start(t, &part{})
	client := candidatev1.NewMeServiceClient(dial("gateway"))
	for range 3 {
		if _, err := client.GetMe(asReader(t.Context()), &candidatev1.GetMeRequest{}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := client.GetSharedCv(asReader(t.Context()), &candidatev1.GetSharedCvRequest{}); err == nil {
		t.Fatal("a handler that panics returned no error")
	}
	for range 2 {
		if _, err := candidatev1.NewMeServiceClient(dial("cvrender")).GetMe(asReader(t.Context()), &candidatev1.GetMeRequest{}); err == nil {
			t.Fatal("a caller that the method does not list was accepted")
		}
	}
	after := counted()
	for i, want := range [3]float64{3, 2, 1} {
		if n := after[i] - before[i]; n != want {
			t.Errorf("%v calls with code %s were counted, want %v", n, [3]string{"OK", "PermissionDenied", "Internal"}[i], want)
		}
	}
	if n := metric(t, started, nil) - metric(t, handled, nil); n != 0 {
		t.Errorf("%v calls are counted as running", n)
	}
}
