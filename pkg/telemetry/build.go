package telemetry

import (
	"runtime/debug"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

// ExposeBuild has /metrics tell which part the process runs, and from which commit it was
// built.
func ExposeBuild(part string) {
	labels := prometheus.Labels{"part": part, "version": "(devel)", "revision": "", "modified": "", "go": ""}
	if info, ok := debug.ReadBuildInfo(); ok {
		labels["go"] = info.GoVersion
		if info.Main.Version != "" {
			labels["version"] = info.Main.Version
		}
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				labels["revision"] = s.Value
			case "vcs.modified":
				labels["modified"] = s.Value
			}
		}
	}
	builds.With(labels).Set(1)
}

var builds = promauto.NewGaugeVec(prometheus.GaugeOpts{
	Name: "vitae_build_info",
	Help: "1, with the part that the process runs, the version and commit that it was built from, and the version of Go.",
}, []string{"part", "version", "revision", "modified", "go"})
