package telemetry

import (
	"strconv"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"vitae.internal/pkg/release"
)

// ExposeBuild exports the metric vitae_build_info for one of the process's services.
func ExposeBuild(part string) {
	b := release.Read()
	builds.WithLabelValues(part, b.Version, b.Revision, strconv.FormatBool(b.Modified), b.Go).Set(1)
}

var builds = promauto.NewGaugeVec(prometheus.GaugeOpts{
	Name: "vitae_build_info",
	Help: "Always 1. The labels are the service, the version and commit from which it was built, and the Go version.",
}, []string{"part", "version", "revision", "modified", "go"})
