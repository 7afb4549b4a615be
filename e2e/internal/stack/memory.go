package stack

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// cgroups lists the root folders of cgroup versions 2 and 1, and the files that set memory limits.
var cgroups = []struct{ dir, limit string }{
	{"/sys/fs/cgroup", "memory.max"},
	{"/sys/fs/cgroup/memory", "memory.limit_in_bytes"},
}

// Confine limits the memory of the process with a cgroup, like a container, and returns a function that
// removes the cgroup. It fails if this process may not create cgroups.
func (p Process) Confine(bytes int64) (end func() error, err error) {
	for _, c := range cgroups {
		if _, err = os.Stat(filepath.Join(c.dir, "cgroup.procs")); err != nil {
			continue
		}
		// Version 2 limits memory only if the parent enables it. Version 1 has no such file.
		_ = os.WriteFile(filepath.Join(c.dir, "cgroup.subtree_control"), []byte("+memory"), 0)
		own := filepath.Join(c.dir, fmt.Sprintf("vitae-e2e-%d", p.PID))
		if err = os.Mkdir(own, 0o755); err != nil {
			return nil, err
		}
		pid := []byte(strconv.Itoa(p.PID))
		end = func() error {
			if err := os.WriteFile(filepath.Join(c.dir, "cgroup.procs"), pid, 0); err != nil && p.Alive() {
				return err
			}
			return os.Remove(own)
		}
		if err = os.WriteFile(filepath.Join(own, c.limit), []byte(strconv.FormatInt(bytes, 10)), 0); err == nil {
			err = os.WriteFile(filepath.Join(own, "cgroup.procs"), pid, 0)
		}
		if err != nil {
			_ = end()
			return nil, err
		}
		return end, nil
	}
	return nil, err
}

// PeakMemory returns the peak memory of the process in bytes, without file-backed memory, which the
// kernel can reclaim (proc_pid_status(5)).
func (p Process) PeakMemory() (int64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.PID))
	if err != nil {
		return 0, err
	}
	kilobytes := map[string]int64{}
	for line := range strings.Lines(string(status)) {
		name, value, _ := strings.Cut(line, ":")
		if n, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(value), " kB"), 10, 64); err == nil {
			kilobytes[name] = n
		}
	}
	if kilobytes["VmHWM"] == 0 {
		return 0, fmt.Errorf("process %d: no VmHWM", p.PID)
	}
	return (kilobytes["VmHWM"] - kilobytes["RssFile"]) << 10, nil
}
