package cmd

import (
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// build is what the program knows of how it was built.
type build struct {
	Version  string `json:"version"`
	Revision string `json:"revision"`
	Time     string `json:"time"`
	Modified bool   `json:"modified"`
	Go       string `json:"go"`
}

func readBuild() build {
	b := build{Version: "(devel)"}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	b.Go = info.GoVersion
	if v := info.Main.Version; v != "" {
		b.Version = v
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

// String is the line of `vitaectl version`.
func (b build) String() string {
	words := []string{"vitaectl", b.Version}
	if b.Revision == "" { // built outside a clone, or with -buildvcs=false
		words = append(words, "(built without its commit)")
	} else {
		words = append(words, "commit", b.Revision, b.Time)
	}
	if b.Modified {
		words = append(words, "modified")
	}
	return strings.Join(append(words, b.Go), " ")
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print which vitaectl this is",
		Example: "  vitaectl version -o json",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			b := readBuild()
			return a.show(b, b.String())
		},
	}
}
