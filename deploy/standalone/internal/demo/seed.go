package demo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"vitae.internal/deploy/standalone/internal/datadir"
)

const (
	// Printed is what the import printed, in the data folder.
	Printed = "world.out.json"
	// pending is the name of a file that is in the data folder while its databases wait
	// for the seed.
	pending = "seed.pending"
)

// Await notes that the stack's databases are new, so that they are still seeded
// when this start is cut short.
func Await(d *datadir.Dir) error { return d.Keep(pending, nil) }

// Seed imports the world file into databases that nobody has used yet. With none
// to import, or into used databases, it does nothing.
func Seed(ctx context.Context, d *datadir.Dir, programs, world string) error {
	if _, err := os.Stat(d.File(pending)); world == "" || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	cmd := exec.CommandContext(ctx, filepath.Join(programs, "vitaectl"), "import", world, "-o", "json")
	cmd.Env = append(os.Environ(), "VITAE_DATA_DIR="+d.Path)
	var out, complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaint
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("seed %s: %w\n%s", world, err, strings.TrimSpace(complaint.String()))
	}
	if err := d.Keep(Printed, out.Bytes()); err != nil {
		return err
	}
	for _, next := range []string{usagePending, consolePending} {
		if err := d.Keep(next, nil); err != nil {
			return err
		}
	}
	if err := os.Remove(d.File(pending)); err != nil {
		return fmt.Errorf("seed: %w", err)
	}
	return nil
}
