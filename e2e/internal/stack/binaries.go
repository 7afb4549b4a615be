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

// programs are what the tests run, and what vitae runs when each part has a process of
// its own, by the folders of their main packages.
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

// Binaries are the built programs.
type Binaries struct {
	// Dir holds all of them.
	Dir string
}

// Path is the file of a program.
func (b Binaries) Path(name string) string { return filepath.Join(b.Dir, name) }

// Build builds the programs into dir. If E2E_BIN names a folder, it takes those that are
// there.
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
	// One at a time, because -o names the output file only if there is one package.
	for _, p := range programs {
		cmd := exec.CommandContext(ctx, "go", "build", "-o", filepath.Join(dir, filepath.Base(p)), p)
		cmd.Dir = root
		if out, err := cmd.CombinedOutput(); err != nil {
			return Binaries{}, fmt.Errorf("build %s: %w\n%s", p, err, bytes.TrimSpace(out))
		}
	}
	return Binaries{Dir: dir}, nil
}

// Root is the root of the clone: the nearest folder above this one with a go.work.
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
