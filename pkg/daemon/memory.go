package daemon

import (
	"log/slog"
	"os"
	"runtime/debug"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

// heapGrowth is how far the heap may grow beyond what is live before Go collects garbage,
// in percent. The parts hold little and make much garbage: at Go's own 100 they collect
// it often, and for little.
const heapGrowth = 300

// SizeHeap trades memory for processor time, within nine tenths of the container's memory
// limit, if it has one. GOGC and GOMEMLIMIT in the environment go first (package runtime,
// "Environment Variables").
func SizeHeap(log *slog.Logger) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(heapGrowth)
	}
	if _, err := memlimit.Set(); err != nil {
		log.Info("the heap has no limit of its own: that of the container is unknown", "error", err)
	}
}

// ReleaseStart gives the memory back to the system that starting needed and nothing holds any
// more. The heap may grow far before Go collects it (heapGrowth), so a replica that has little to
// do would keep what it needed once. It takes some milliseconds.
func ReleaseStart() { debug.FreeOSMemory() }
