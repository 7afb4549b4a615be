package cmd

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"vitae.internal/cli/internal/importer"
	"vitae.internal/cli/internal/world"
)

func (a *app) importCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "import FILE",
		Short:   "Create the contents of a world file and print their ids and secrets as JSON",
		Example: "  vitaectl import deploy/demo/world.json > created.json",
		Long: `Create the contents of a world file (docs/world-file.md); "-" reads it from stdin.

The whole file is checked first. If it has faults, nothing is written, and every fault is
listed with its JSON path on stderr, with -o json also on stdout as
{"faults":[{"path","message"}]}. Otherwise the ids and secrets of the created objects are
printed as JSON. Secrets are shown only once.`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			raw, err := a.readFile(args[0])
			if err == nil {
				err = a.importWorld(c, raw)
			}
			if err != nil {
				return failure{err}
			}
			return nil
		},
	}
}

func (a *app) readFile(name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(a.streams.In)
	}
	return os.ReadFile(name)
}

func (a *app) importWorld(c *cobra.Command, raw []byte) error {
	var faults world.Faults
	w := world.Parse(raw, &faults)

	s, err := a.connect()
	if err == nil {
		defer s.close()
		err = importer.Check(c.Context(), s.Services, w, &faults)
	}
	if list := faults.List(); len(list) > 0 {
		return errors.Join(a.refuse(list), err)
	}
	if err != nil {
		return err
	}
	created, err := importer.Import(c.Context(), s.Services, w)
	// Print the result even if the import failed half-way, because its secrets cannot be read again.
	return errors.Join(err, a.showJSON(created))
}

// refuse prints the faults and returns an error that states their number.
func (a *app) refuse(list []world.Fault) error {
	if a.output == "json" {
		if err := a.showJSON(map[string]any{"faults": list}); err != nil {
			return err
		}
	}
	for _, f := range list {
		fmt.Fprintf(a.streams.Err, "%s: %s\n", f.Path, f.Message)
	}
	if len(list) == 1 {
		return errors.New("the file has a fault; nothing was written")
	}
	return fmt.Errorf("the file has %d faults; nothing was written", len(list))
}
