package chromium

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strconv"
	"time"
)

// ErrMemory is the error of a document that needs more memory than Chromium may have.
var ErrMemory = errors.New("chromium: document needs too much memory")

// memoryCheck is how often the memory is measured. In this time a renderer fills about
// 200 MB at the worst, and a usual document is printed before the first measurement.
const memoryCheck = 200 * time.Millisecond

// guardMemory ends the returned context, and with it the work, if Chromium's processes
// hold more than the limit. A limit of the address space is of no use: Chromium reserves
// terabytes that it never touches.
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

// groupMemory gives the bytes that the processes of a group hold and that no file backs.
// So the program itself is not counted once per process.
func groupMemory(group int) int64 {
	var sum int64
	for _, pid := range groupMembers(group) {
		raw, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/statm")
		if err != nil {
			continue // it has just ended
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
		// The name in brackets may hold spaces; after it: state, parent, group.
		fields := bytes.Fields(raw[bytes.LastIndexByte(raw, ')')+1:])
		if len(fields) > 2 && string(fields[2]) == strconv.Itoa(group) {
			pids = append(pids, pid)
		}
	}
	return pids
}
