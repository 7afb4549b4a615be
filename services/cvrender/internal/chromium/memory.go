package chromium

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strconv"
	"time"
)

// ErrMemory means that printing a document needs more memory than Chromium may use.
var ErrMemory = errors.New("chromium: document needs too much memory")

// memoryCheck is the time between two measurements. In this time, a renderer can allocate about 200
// MB. A typical document has been printed before the first measurement.
const memoryCheck = 200 * time.Millisecond

// guardMemory returns a context that is canceled if Chromium's processes use more memory than the
// limit. Limiting the address space would not work, because Chromium reserves terabytes that it
// never uses.
func (b *Browser) guardMemory(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	go func() {
		tick := time.NewTicker(memoryCheck)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				if groupMemory(b.Pid()) > b.limit {
					cancel(ErrMemory)
					return
				}
			}
		}
	}()
	return ctx, func() { cancel(nil) }
}

// groupMemory returns how much of a process group's memory, in bytes, is not backed by a file. So
// the program itself is not counted once per process.
func groupMemory(group int) int64 {
	var sum int64
	for _, pid := range groupMembers(group) {
		raw, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/statm")
		if err != nil {
			continue // the process has just exited
		}
		fields := bytes.Fields(raw)
		if len(fields) < 3 {
			continue
		}
		resident, err1 := strconv.ParseInt(string(fields[1]), 10, 64)
		shared, err2 := strconv.ParseInt(string(fields[2]), 10, 64)
		if err1 == nil && err2 == nil {
			sum += (resident - shared) * int64(os.Getpagesize())
		}
	}
	return sum
}

// groupMembers lists the processes of a process group (proc_pid_stat(5)).
func groupMembers(group int) []int {
	proc, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer proc.Close()
	names, _ := proc.Readdirnames(-1)
	var pids []int
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		raw, err := os.ReadFile("/proc/" + name + "/stat")
		if err != nil {
			continue
		}
		// The name in parentheses may contain spaces. It is followed by the state, the parent and
		// the group.
		fields := bytes.Fields(raw[bytes.LastIndexByte(raw, ')')+1:])
		if len(fields) > 2 && string(fields[2]) == strconv.Itoa(group) {
			pids = append(pids, pid)
		}
	}
	return pids
}
