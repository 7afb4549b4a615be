package cmd

import (
	"strings"

	"github.com/spf13/cobra"

	"vitae.internal/pkg/release"
)

func versionLine(b release.Build) string {
	words := []string{"vitaectl", b.Version}
	if b.Revision == "" { // built outside a clone, or with -buildvcs=false
		words = append(words, "(built without its commit)")
	} else {
		words = append(words, "commit", b.Revision)
	}
	if b.Time != "" {
		words = append(words, b.Time)
	}
	if b.Modified {
		words = append(words, "modified")
	}
	return strings.Join(append(words, b.Go), " ")
}

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version of vitaectl",
		Example: "  vitaectl version -o json",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			b := release.Read()
			return a.show(b, versionLine(b))
		},
	}
}
