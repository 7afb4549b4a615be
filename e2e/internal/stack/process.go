package stack

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Process is a running process. Its start time distinguishes it from a later process with the same id.
type Process struct {
	PID int
	// Command is the command line, with arguments separated by spaces.
	Command string

	parent  int
	started string
}

// Alive reports whether the process is running. A zombie is not.
func (p Process) Alive() bool {
	now, state, err := readProcess(p.PID)
	return err == nil && now.started == p.started && state != "Z"
}

func (p Process) String() string { return fmt.Sprintf("%d %s", p.PID, p.Command) }

// Env returns an environment variable that the process was started with.
func (p Process) Env(name string) (string, bool) {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", p.PID))
	if err != nil {
		return "", false
	}
	for kv := range strings.SplitSeq(string(raw), "\x00") {
		if value, ok := strings.CutPrefix(kv, name+"="); ok {
			return value, true
		}
	}
	return "", false
}

// descendants returns the processes below pid, and all processes with mark in their environment or
// command line, because an orphaned process gets a different parent.
func descendants(pid int, mark string) []Process {
	entries, _ := filepath.Glob("/proc/[0-9]*")
	all := map[int]Process{}
	for _, e := range entries {
		id, err := strconv.Atoi(filepath.Base(e))
		if err != nil {
			continue
		}
		if p, state, err := readProcess(id); err == nil && state != "Z" {
			all[id] = p
		}
	}
	var found []Process
	for id, p := range all {
		if id != os.Getpid() && (below(all, id, pid) || marked(id, mark)) {
			found = append(found, p)
		}
	}
	return found
}

func below(all map[int]Process, id, ancestor int) bool {
	for range len(all) {
		if id == ancestor {
			return true
		}
		p, ok := all[id]
		if !ok || p.parent == id {
			return false
		}
		id = p.parent
	}
	return false
}

func marked(pid int, mark string) bool {
	for _, file := range []string{"environ", "cmdline"} {
		raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/%s", pid, file))
		if err == nil && mark != "" && bytes.Contains(raw, []byte(mark)) {
			return true
		}
	}
	return false
}

// readProcess parses proc_pid_stat(5). After the command come the state, the parent and, as the 20th
// field, the start time.
func readProcess(pid int) (Process, string, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return Process{}, "", err
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(fields) < 20 {
		return Process{}, "", fmt.Errorf("process %d: unreadable stat", pid)
	}
	parent, err := strconv.Atoi(fields[1])
	if err != nil {
		return Process{}, "", fmt.Errorf("process %d: %w", pid, err)
	}
	command, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil {
		return Process{}, "", err
	}
	return Process{
		PID: pid, parent: parent, started: fields[19],
		Command: strings.TrimSpace(strings.ReplaceAll(string(command), "\x00", " ")),
	}, fields[0], nil
}
