package bench

import (
	"fmt"
	"os"
	"strconv"
	"strings"

	"vitae.internal/e2e/internal/stack"
)

// residentMB returns the memory of a process in MB as reported by the kernel (proc_pid_status(5)). The
// field "VmRSS" is all resident memory; "RssAnon" excludes memory mapped from files, such as the
// program itself.
func residentMB(p stack.Process, field string) (float64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.PID))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(status)) {
		words := strings.Fields(line)
		if len(words) == 3 && words[0] == field+":" && words[2] == "kB" {
			kb, err := strconv.ParseFloat(words[1], 64)
			return kb / 1024, err
		}
	}
	return 0, fmt.Errorf("process %d: no field %s", p.PID, field)
}
