package bench

import (
	"fmt"
	"os"
	"regexp"
	"strconv"

	"vitae.internal/e2e/internal/stack"
)

var rssLine = regexp.MustCompile(`(?m)^VmRSS:\s+(\d+) kB$`)

// residentMB is the resident memory of a process in MB, as the kernel counts it
// (proc_pid_status(5), VmRSS).
func residentMB(p stack.Process) (float64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.PID))
	if err != nil {
		return 0, err
	}
	m := rssLine.FindSubmatch(status)
	if m == nil {
		return 0, fmt.Errorf("process %d: no VmRSS", p.PID)
	}
	kb, err := strconv.ParseFloat(string(m[1]), 64)
	return kb / 1024, err
}
