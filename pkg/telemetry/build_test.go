package telemetry_test

import (
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"vitae.internal/pkg/release"
	"vitae.internal/pkg/telemetry"
)

func TestBuildMetricHasLabels(t *testing.T) {
	telemetry.ExposeBuild("tested")
	families, err := prometheus.DefaultGatherer.Gather()
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, f := range families {
		if f.GetName() != "vitae_build_info" {
			continue
		}
		for _, m := range f.GetMetric() {
			for _, l := range m.GetLabel() {
				found = append(found, l.GetName()+"="+l.GetValue())
			}
		}
	}
	b := release.Read()
	want := []string{"go=" + b.Go, "modified=false", "part=tested", "revision=" + b.Revision, "version=" + b.Version}
	if b.Modified {
		want[1] = "modified=true"
	}
	if strings.Join(found, " ") != strings.Join(want, " ") {
		t.Errorf("labels %q, want %q", found, want)
	}
}
