package stack

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
)

// programs are the binaries that the suite runs, or that vitae runs beside itself
// when it is split, by the folder of their main package.
var programs = []string{
	"./services/auth/cmd/auth",
	"./services/partnercatalog/cmd/partnercatalog",
	"./services/candidate/cmd/candidate",
	"./services/cvrender/cmd/cvrender",
	"./gateway/cmd/gateway",
	"./deploy/standalone/cmd/vitae",
	"./cli/cmd/vitaectl",
	"./examples/partner-app",
}

// Binaries says where the programs are.
type Binaries struct {
	// Dir holds them all.
	Dir string
}

// Path is the file of a program.
func (b Binaries) Path(name string) string { return filepath.Join(b.Dir, name) }

// Build builds the programs into dir, or takes those at E2E_BIN.
func Build(ctx context.Context, dir string) (Binaries, error) {
	if given := os.Getenv("E2E_BIN"); given != "" {
		abs, err := filepath.Abs(given)
		if err != nil {
			return Binaries{}, err
		}
		for _, p := range programs {
			if _, err := os.Stat(filepath.Join(abs, filepath.Base(p))); err != nil {
				return Binaries{}, fmt.Errorf("E2E_BIN: %w", err)
			}
		}
		return Binaries{Dir: abs}, nil
	}
	root, err := Root()
	if err != nil {
		return Binaries{}, err
	}
	// One package at a time: with one file for an output, -o names it whatever the
	// main package is called.
	for _, p := range programs {
		cmd := exec.CommandContext(ctx, "go", "build", "-o", filepath.Join(dir, filepath.Base(p)), p)
		cmd.Dir = root
		if out, err := cmd.CombinedOutput(); err != nil {
			return Binaries{}, fmt.Errorf("build %s: %w\n%s", p, err, bytes.TrimSpace(out))
		}
	}
	return Binaries{Dir: dir}, nil
}

// Root is the root of the clone: the folder above that has go.work.
func Root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		_, err := os.Stat(filepath.Join(dir, "go.work"))
		if err == nil {
			return dir, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("not inside a clone: no go.work above")
		}
		dir = parent
	}
}
