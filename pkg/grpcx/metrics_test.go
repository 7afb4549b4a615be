package grpcx_test

import (
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// metric sums the series of a metric that have the labels.
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

func TestEveryCallIsCountedWithItsCodeOneThatPanickedToo(t *testing.T) {
	const served, underWay = "vitae_grpc_requests_total", "vitae_grpc_requests_under_way"
	me := map[string]string{"method": candidatev1.MeService_GetMe_FullMethodName, "code": "OK"}
	cv := map[string]string{"method": candidatev1.MeService_GetSharedCv_FullMethodName, "code": "Internal"}
	before, beforePanics := metric(t, served, me), metric(t, served, cv)
	client := candidatev1.NewMeServiceClient(start(t, &part{})("gateway"))
	for range 3 {
		if _, err := client.GetMe(asReader(t.Context()), &candidatev1.GetMeRequest{}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := client.GetSharedCv(asReader(t.Context()), &candidatev1.GetSharedCvRequest{}); err == nil {
		t.Fatal("no panic")
	}
	if n := metric(t, served, me) - before; n != 3 {
		t.Errorf("%v calls were counted, want 3", n)
	}
	if n := metric(t, served, cv) - beforePanics; n != 1 {
		t.Errorf("%v panics were counted, want 1", n)
	}
	if n := metric(t, underWay, nil); n != 0 {
		t.Errorf("%v calls are said to be under way", n)
	}
}
