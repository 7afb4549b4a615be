package telemetry

import (
	"strconv"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"vitae.internal/pkg/release"
)

// ExposeBuild exports the metric vitae_build_info for this process.
func ExposeBuild(part string) {
	b := release.Read()
	builds.WithLabelValues(part, b.Version, b.Revision, strconv.FormatBool(b.Modified), b.Go).Set(1)
}

var builds = promauto.NewGaugeVec(prometheus.GaugeOpts{
	Name: "vitae_build_info",
	Help: "Constant 1, labelled with the part that the process runs, the version and commit that it was built from, and the Go version.",
}, []string{"part", "version", "revision", "modified", "go"})
