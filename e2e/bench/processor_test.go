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

// BenchmarkProcessorTime measures what one call costs in processor time, user and system,
// in each process. It depends less on what else the machine does than a rate.
func BenchmarkProcessorTime(b *testing.B) {
	for _, row := range []struct {
		name string
		call func(*testing.B) func(context.Context) error
	}{
		{"me", byUser("/v1/me")},
		{"cv", byUser("/v1/me/cv")},
		{"job", aJob},
		{"introspection", introspection},
		{"refresh", func(b *testing.B) func(context.Context) error { return refresh(b, reads.clients) }},
	} {
		b.Run(row.name, func(b *testing.B) { processorTime(b, row.call(b)) })
	}
}

// byUser gives a read with the token of a person.
func byUser(path string) func(*testing.B) func(context.Context) error {
	return func(b *testing.B) func(context.Context) error {
		s := connected(b)
		return get(s.App.BaseURL+path, s.Tokens.Access)
	}
}

// aJob gives a read of a job with an API key.
func aJob(b *testing.B) func(context.Context) error {
	e := newEmployer(b)
	return get(e.baseURL+"/v1/jobs/"+e.created.Jobs["template"].ID, e.key)
}

// processorTime reports the processor time of a call by process, and of all together.
func processorTime(b *testing.B, call func(context.Context) error) {
	for b.Loop() {
		costs, err := reads.processorTime(b.Context(), system.Processes, call)
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
}

// processorTime is the processor time in microseconds that each program spends for one
// call of do.
func (l load) processorTime(ctx context.Context, processes func() []stack.Process, do func(context.Context) error) (map[string]float64, error) {
	if _, err := l.perSecond(ctx, do); err != nil { // warms up
		return nil, err
	}
	return l.spent(ctx, processes, do)
}

// spent is processorTime of calls that are warm.
func (l load) spent(ctx context.Context, processes func() []stack.Process, do func(context.Context) error) (map[string]float64, error) {
	var calls atomic.Int64
	counted := func(ctx context.Context) error { calls.Add(1); return do(ctx) }
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

// programOf gives the name of the part or server that a command line starts. What works for
// a database of Postgres has its name ("postgres-auth"); what works for all of them is
// "postgres". Chromium belongs to cvrender.
func programOf(command string) string {
	words := strings.Fields(command)
	if len(words) == 0 {
		return ""
	}
	program := strings.TrimSuffix(words[0], ":") // as Postgres names its processes
	program = program[strings.LastIndexByte(program, '/')+1:]
	if strings.Contains(command, "--type=") || strings.Contains(program, "chrom") {
		return "cvrender"
	}
	if program == "postgres" && len(words) > 2 {
		if database, ours := strings.CutPrefix(words[2], "vitae_"); ours {
			return program + "-" + database
		}
	}
	return program
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
