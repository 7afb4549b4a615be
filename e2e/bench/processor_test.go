package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"vitae.internal/e2e/internal/stack"
)

// BenchmarkProcessorTime measures what one read costs in processor time, user and system,
// in each process. It depends less on what else the machine does than a rate.
func BenchmarkProcessorTime(b *testing.B) {
	for _, name := range []string{"me", "me/cv"} {
		b.Run(name, func(b *testing.B) {
			s := connected(b)
			read := get(s.App.BaseURL+"/v1/"+name, s.Tokens.Access)
			for b.Loop() {
				costs, err := reads.processorTime(b.Context(), system.Processes, read)
				if err != nil {
					b.Fatal(err)
				}
				total := 0.0
				for part, micros := range costs {
					total += micros
					b.ReportMetric(micros, part+"-µs/req")
				}
				b.ReportMetric(total, "all-µs/req")
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}

// processorTime is the processor time in microseconds that each program spends for one
// call of do.
func (l load) processorTime(ctx context.Context, processes func() []stack.Process, do func(context.Context) error) (map[string]float64, error) {
	var calls atomic.Int64
	counted := func(ctx context.Context) error { calls.Add(1); return do(ctx) }
	if _, err := l.perSecond(ctx, counted); err != nil { // warms up
		return nil, err
	}
	calls.Store(0)
	before, err := usedByProgram(processes())
	if err != nil {
		return nil, err
	}
	for range l.rounds {
		if _, err := l.perSecond(ctx, counted); err != nil {
			return nil, err
		}
	}
	after, err := usedByProgram(processes())
	if err != nil {
		return nil, err
	}
	costs := map[string]float64{}
	for program, micros := range after {
		costs[program] = (micros - before[program]) / float64(calls.Load())
	}
	return costs, nil
}

// usedByProgram is the processor time in microseconds that processes have spent, by the
// names of their programs.
func usedByProgram(processes []stack.Process) (map[string]float64, error) {
	used := map[string]float64{}
	for _, p := range processes {
		micros, err := processorMicros(p.PID)
		if errors.Is(err, os.ErrNotExist) {
			continue // it has ended since it was listed
		}
		if err != nil {
			return nil, err
		}
		used[programOf(p.Command)] += micros
	}
	return used, nil
}

// programOf gives the name of the part or server that a command line starts.
func programOf(command string) string {
	program, _, _ := strings.Cut(command, " ")
	program = strings.TrimSuffix(program, ":") // as Postgres names its processes
	return program[strings.LastIndexByte(program, '/')+1:]
}

// tick is a clock tick of the kernel in microseconds (sysconf(3), _SC_CLK_TCK), which is
// the same on every Linux that Go runs on.
const tick = 10_000

// processorMicros reads utime and stime (proc_pid_stat(5)).
func processorMicros(pid int) (float64, error) {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	text := string(raw)
	fields := strings.Fields(text[strings.LastIndexByte(text, ')')+1:])
	if len(fields) < 13 {
		return 0, fmt.Errorf("process %d: a short stat", pid)
	}
	total := 0.0
	for _, field := range fields[11:13] {
		ticks, err := strconv.ParseFloat(field, 64)
		if err != nil {
			return 0, fmt.Errorf("process %d: %w", pid, err)
		}
		total += ticks * tick
	}
	return total, nil
}
