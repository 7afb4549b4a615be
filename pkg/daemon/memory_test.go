package daemon_test

import (
	"log/slog"
	"runtime/debug"
	"testing"

	"vitae.internal/pkg/daemon"
)

func TestHeapGrowsFurtherThanGosOwnSettingUnlessTheEnvironmentSaysHowFar(t *testing.T) {
	before, limit := debug.SetGCPercent(100), debug.SetMemoryLimit(-1)
	t.Cleanup(func() { debug.SetGCPercent(before); debug.SetMemoryLimit(limit) })
	size := func() int {
		daemon.SizeHeap(slog.New(slog.DiscardHandler))
		return debug.SetGCPercent(100)
	}
	t.Setenv("GOGC", "100")
	if got := size(); got != 100 {
		t.Errorf("GOGC=100: %d %%", got)
	}
	t.Setenv("GOGC", "")
	if got := size(); got <= 100 {
		t.Errorf("without GOGC: %d %%", got)
	}
}

func TestLimitOfTheHeapInTheEnvironmentIsKept(t *testing.T) {
	percent, limit := debug.SetGCPercent(100), debug.SetMemoryLimit(123<<20)
	t.Cleanup(func() { debug.SetGCPercent(percent); debug.SetMemoryLimit(limit) })
	t.Setenv("GOMEMLIMIT", "123MiB")
	daemon.SizeHeap(slog.New(slog.DiscardHandler))
	if got := debug.SetMemoryLimit(-1); got != 123<<20 {
		t.Errorf("limit %d", got)
	}
}
