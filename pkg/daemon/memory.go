package daemon

import (
	"log/slog"
	"os"
	"runtime/debug"

	"github.com/KimMachineGun/automemlimit/memlimit"
)

// heapGrowth is the value of GOGC: the heap may grow by this percentage of the live data before the
// next garbage collection. Services have little live data and much garbage, so with Go's default of
// 100 they would collect often for little gain.
const heapGrowth = 300

// SizeHeap configures the garbage collector to trade memory for processor time. If the container
// has a memory limit, the heap is limited to nine tenths of it. GOGC and GOMEMLIMIT take precedence
// (package runtime, "Environment Variables").
func SizeHeap(log *slog.Logger) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(heapGrowth)
	}
	if _, err := memlimit.Set(); err != nil {
		log.Info("the heap is not limited, because the memory limit of the container is unknown", "error", err)
	}
}

// ReleaseStart returns memory that was needed only during start-up to the operating system. Because
// of heapGrowth, an idle replica would otherwise keep it for a long time. ReleaseStart takes a few
// milliseconds.
func ReleaseStart() { debug.FreeOSMemory() }
