// Package release tells which version of Vitae a program is, and from which commit it was
// built.
//
// In a clone the go command writes down the commit. An image is built from a copy without
// the clone's history, so its build stamps the two variables below (deploy/docker/Dockerfile).
package release

import (
	"cmp"
	"runtime/debug"
)

// version and revision are set by the linker: -X vitae.internal/pkg/release.version=v1.2.3.
var version, revision string

// Build is what a program knows of how it was built.
type Build struct {
	// Version is that of the release, "(devel)" between releases.
	Version string `json:"version"`
	// Revision is the commit, empty if the build did not know it.
	Revision string `json:"revision"`
	// Time is that of the commit, if the go command wrote it down.
	Time string `json:"time"`
	// Modified says that there were changes that are in no commit.
	Modified bool `json:"modified"`
	// Go is the version of Go.
	Go string `json:"go"`
}

// Read gives how this program was built.
func Read() Build {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return read(info, version, revision)
}

func read(info *debug.BuildInfo, version, revision string) Build {
	b := Build{Version: cmp.Or(version, info.Main.Version, "(devel)"), Revision: revision, Go: info.GoVersion}
	if revision != "" {
		return b
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Revision = s.Value
		case "vcs.time":
			b.Time = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}
