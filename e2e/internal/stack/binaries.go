package stack

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	"vitae.internal/pkg/testkit"
)

// programs lists the main packages of the programs that tests and vitae run.
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

type Binaries struct {
	Dir string
}

// Path returns the path of a program.
func (b Binaries) Path(name string) string { return filepath.Join(b.Dir, name) }

// Build builds the programs like `make build`, or returns the programs in the folder E2E_BIN.
func Build(ctx context.Context) (Binaries, error) {
	if given := os.Getenv("E2E_BIN"); given != "" {
		return built(given)
	}
	root, err := testkit.Root()
	if err != nil {
		return Binaries{}, err
	}
	dir := filepath.Join(root, "bin")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return Binaries{}, err
	}
	// Several test packages may start at once. The first one builds.
	lock, err := os.OpenFile(filepath.Join(dir, ".e2e.lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return Binaries{}, err
	}
	defer lock.Close() // unlocks
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX); err != nil {
		return Binaries{}, fmt.Errorf("lock %s: %w", lock.Name(), err)
	}
	cmd := exec.CommandContext(ctx, "go", append([]string{"build", "-o", dir + string(filepath.Separator)}, programs...)...)
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return Binaries{}, fmt.Errorf("build the programs: %w\n%s", err, bytes.TrimSpace(out))
	}
	return Binaries{Dir: dir}, nil
}

// built returns the programs in a folder, which must contain all of them.
func built(dir string) (Binaries, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return Binaries{}, err
	}
	for _, p := range programs {
		if _, err := os.Stat(filepath.Join(dir, filepath.Base(p))); err != nil {
			return Binaries{}, fmt.Errorf("E2E_BIN: %w", err)
		}
	}
	return Binaries{Dir: dir}, nil
}
