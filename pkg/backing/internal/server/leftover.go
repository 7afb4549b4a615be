package server

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// PollEvery is the interval at which this package checks the state of other processes.
const PollEvery = 10 * time.Millisecond

// EndLeftovers kills the processes that a killed earlier run left in dir. It finds them by their
// working directory, which no unrelated process shares. A process id in a file could have been
// reused.
func EndLeftovers(ctx context.Context, dir, program string) error {
	for {
		pids, err := WorkingIn(dir, program)
		if err != nil {
			return err
		}
		if len(pids) == 0 {
			return nil
		}
		for _, pid := range pids {
			// Killing is safe: Postgres and Redis keep committed and appended data.
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		if err := Pause(ctx, PollEvery); err != nil {
			return fmt.Errorf("processes %v of an earlier run are still running in %s: %w", pids, dir, err)
		}
	}
}

// WorkingIn returns the ids of a program's live processes whose working directory is dir.
func WorkingIn(dir, program string) ([]int, error) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil, fmt.Errorf("list processes: %w", err)
	}
	var pids []int
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		// The process may have exited, or belong to a different user.
		cwd, err := os.Readlink(filepath.Join("/proc", e.Name(), "cwd"))
		if err != nil || cwd != dir {
			continue
		}
		comm, err := os.ReadFile(filepath.Join("/proc", e.Name(), "comm"))
		if err == nil && strings.TrimSpace(string(comm)) == program {
			pids = append(pids, pid)
		}
	}
	return pids, nil
}

// Pause waits for d, or returns an error if ctx is done first.
func Pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
