package daemon

import (
	"log/slog"
	"os"
	"runtime/debug"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

// heapGrowth is how far the heap may grow beyond the live data before garbage collection, in
// percent. Services have little live data and much garbage, so with Go's default of 100 they would
// collect often for little gain.
const heapGrowth = 300

// SizeHeap trades memory for processor time. If the container has a memory limit, the heap is
// limited to nine tenths of it. GOGC and GOMEMLIMIT take precedence (package runtime, "Environment
// Variables").
func SizeHeap(log *slog.Logger) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(heapGrowth)
	}
	if _, err := memlimit.Set(); err != nil {
		log.Info("the heap is not limited, because the memory limit of the container is unknown", "error", err)
	}
}

// ReleaseStart returns memory to the system that was only needed for starting. With heapGrowth, an
// idle replica would keep it for a long time. It takes some milliseconds.
func ReleaseStart() { debug.FreeOSMemory() }
