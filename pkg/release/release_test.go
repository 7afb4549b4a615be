package release

import (
	"runtime/debug"
	"testing"
)

func TestStampedVersionTakesPrecedence(t *testing.T) {
	clone := &debug.BuildInfo{GoVersion: "go1.26", Settings: []debug.BuildSetting{
		{Key: "vcs.revision", Value: "0123abc"}, {Key: "vcs.time", Value: "2026-11-01T10:00:00Z"}, {Key: "vcs.modified", Value: "true"},
	}}
	clone.Main.Version = "v0.0.0-20261101100000-0123abc"
	for _, c := range []struct {
		name              string
		info              *debug.BuildInfo
		version, revision string
		want              Build
	}{
		{"a clone", clone, "", "", Build{Version: clone.Main.Version, Revision: "0123abc", Time: "2026-11-01T10:00:00Z", Modified: true, Go: "go1.26"}},
		{"an image", &debug.BuildInfo{GoVersion: "go1.26"}, "v1.2.3", "4567def", Build{Version: "v1.2.3", Revision: "4567def", Go: "go1.26"}},
		{"an image built in a clone", clone, "v1.2.3", "4567def", Build{Version: "v1.2.3", Revision: "4567def", Go: "go1.26"}},
		{"a build without information", &debug.BuildInfo{}, "", "", Build{Version: "(devel)"}},
	} {
		if got := read(c.info, c.version, c.revision); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}
