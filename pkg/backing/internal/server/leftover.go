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

// PollEvery is the pause between two looks at what another process does.
const PollEvery = 10 * time.Millisecond

// EndLeftovers ends the processes that an earlier run, which was killed, left in dir.
// Servers and their workers are found by their working directory: Postgres and Redis
// set it to their data directory, and no other process is there. A file with a
// process id would not do, because the id may belong to another process by now.
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
			// Postgres and Redis keep committed and appended data through this.
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
		if err := Pause(ctx, PollEvery); err != nil {
			return fmt.Errorf("processes %v of an earlier run still work in %s: %w", pids, dir, err)
		}
	}
}

// WorkingIn lists the live processes of a program whose working directory is dir.
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
		// The process may have ended meanwhile, or belong to another user.
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

// Pause waits for d or for the end of ctx.
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
