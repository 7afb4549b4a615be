package daemon_test

import (
	"log/slog"
	"runtime"
	"runtime/debug"
	"testing"

	"vitae.internal/pkg/daemon"
)

func TestSizeHeapRespectsGOGC(t *testing.T) {
	before, limit := debug.SetGCPercent(100), debug.SetMemoryLimit(-1)
	t.Cleanup(func() { debug.SetGCPercent(before); debug.SetMemoryLimit(limit) })
	size := func() int {
		daemon.SizeHeap(slog.New(slog.DiscardHandler))
		return debug.SetGCPercent(100)
	}
	t.Setenv("GOGC", "100")
	if got := size(); got != 100 {
		t.Errorf("GOGC=100: heap growth is %d %%, want 100 %%", got)
	}
	t.Setenv("GOGC", "")
	if got := size(); got <= 100 {
		t.Errorf("without GOGC: heap growth is %d %%, want more than 100 %%", got)
	}
}

func TestSizeHeapRespectsGOMEMLIMIT(t *testing.T) {
	percent, limit := debug.SetGCPercent(100), debug.SetMemoryLimit(123<<20)
	t.Cleanup(func() { debug.SetGCPercent(percent); debug.SetMemoryLimit(limit) })
	t.Setenv("GOMEMLIMIT", "123MiB")
	daemon.SizeHeap(slog.New(slog.DiscardHandler))
	if got := debug.SetMemoryLimit(-1); got != 123<<20 {
		t.Errorf("the memory limit is %d, want the value of GOMEMLIMIT", got)
	}
}

func TestReleaseStartReturnsMemory(t *testing.T) {
	percent := debug.SetGCPercent(1000)
	t.Cleanup(func() { debug.SetGCPercent(percent) })
	const needed = 64 << 20
	for range needed / (64 << 10) {
		started = append(started, make([]byte, 64<<10))
	}
	started = nil
	kept := func() uint64 {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapSys - m.HeapReleased
	}
	before := kept()
	daemon.ReleaseStart()
	if after := kept(); before < needed || after > before-needed/2 {
		t.Errorf("%d of %d bytes were not returned to the system", after, before)
	}
}

// started prevents the compiler from optimizing the allocations away.
var started [][]byte
