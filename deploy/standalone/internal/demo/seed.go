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
	// Printed is the name of the file in the data folder with the output of the import.
	Printed = "world.out.json"
	// pending is the name of a file in the data folder. It exists until the databases have been seeded.
	pending = "seed.pending"
)

// Await marks the databases as new. If this start is interrupted, a later one then seeds them.
func Await(d *datadir.Dir) error { return d.Keep(pending, nil) }

// Seed imports the world file into new databases. It does nothing if world is empty or the databases are not new.
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
