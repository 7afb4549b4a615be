// Package release reports the version of a program and the commit from which it was built.
//
// In a clone, the go command records the commit. Images are built without the Git history, so
// deploy/docker/Dockerfile sets the variables below.
package release

import (
	"cmp"
	"runtime/debug"
)

// version and revision are set by the linker: -X vitae.internal/pkg/release.version=v1.2.3.
var version, revision string

// Build describes how a program was built.
type Build struct {
	// Version is the release, or "(devel)" between releases.
	Version string `json:"version"`
	// Revision is the commit, or "" if unknown.
	Revision string `json:"revision"`
	// Time is the time of the commit, or "" if the go command did not record it.
	Time string `json:"time"`
	// Modified reports whether there were uncommitted changes.
	Modified bool   `json:"modified"`
	Go       string `json:"go"`
}

// Read returns the Build of this program.
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
