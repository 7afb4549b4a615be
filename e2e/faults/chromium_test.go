package faults_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"vitae.internal/e2e/internal/expect"
)

// awaitChromium waits until cvrender has a Chromium whose process id is not other. It returns the
// process id, which is also the process group id.
func (s *system) awaitChromium(t *testing.T, other int) (pid int) {
	t.Helper()
	expect.Eventually(t, "a Chromium", func(context.Context) error {
		all, err := children(s.processes["cvrender"].Pid())
		if err != nil {
			return err
		}
		if len(all) != 1 || all[0] == other {
			return fmt.Errorf("cvrender has the child processes %v", all)
		}
		pid = all[0]
		return nil
	})
	return pid
}

// children returns the child processes of all threads of a process (proc_pid_task_children(5)).
func children(pid int) (all []int, err error) {
	lists, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil {
		return nil, err
	}
	for _, list := range lists {
		raw, err := os.ReadFile(list)
		if err != nil {
			continue // the thread has exited
		}
		for _, field := range strings.Fields(string(raw)) {
			id, err := strconv.Atoi(field)
			if err != nil {
				return nil, err
			}
			all = append(all, id)
		}
	}
	return all, nil
}

// freezeChromium suspends Chromium (SIGSTOP) until thaw is called.
func (s *system) freezeChromium(t *testing.T) (thaw func()) {
	t.Helper()
	pid := s.awaitChromium(t, 0)
	if err := syscall.Kill(-pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	// cvrender may have killed it in the meantime.
	thaw = sync.OnceFunc(func() { _ = syscall.Kill(-pid, syscall.SIGCONT) })
	t.Cleanup(thaw)
	return thaw
}
