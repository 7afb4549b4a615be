package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"vitae.internal/e2e/internal/stack"
)

// BenchmarkProcessorTime measures the processor time of a call, user and system, in each process. Other
// load on the machine affects it less than throughput.
func BenchmarkProcessorTime(b *testing.B) {
	for _, k := range rowsOfCosts {
		b.Run(k.name, func(b *testing.B) { k.processorTime(b) })
	}
}

// processorTime reports the processor time of a call, by process and in total, and the latency.
func (k kindOfCall) processorTime(b *testing.B) {
	call := k.make(b).call
	l := k.load
	for b.Loop() {
		if _, _, err := l.run(b.Context(), call); err != nil { // warms up
			b.Fatal(err)
		}
		l.rounds = 5
		found, err := l.sample(b.Context(), system.Processes, call)
		if err != nil {
			b.Fatal(err)
		}
		for program, micros := range found.micros {
			b.ReportMetric(micros, program+"-µs/req")
		}
		c := costOf([]sample{found})
		b.ReportMetric(c.all, "all-µs/req")
		b.ReportMetric(milliseconds(c.p50), "p50-ms")
		b.ReportMetric(milliseconds(c.p99), "p99-ms")
	}
	b.ReportMetric(0, "ns/op")
}

// sample is the result of one measurement.
type sample struct {
	// micros is the processor time per call in microseconds, by program.
	micros map[string]float64
	// perSecond is the number of calls per second.
	perSecond float64
	// took holds the duration of each call.
	took []time.Duration
}

// sample measures calls. The caller must warm them up.
func (l load) sample(ctx context.Context, processes func() []stack.Process, do func(context.Context) error) (sample, error) {
	before, err := usedByProgram(processes())
	if err != nil {
		return sample{}, err
	}
	var took []time.Duration
	var span time.Duration
	for range l.rounds {
		calls, all, err := l.run(ctx, do)
		if err != nil {
			return sample{}, err
		}
		took, span = append(took, calls...), span+all
	}
	after, err := usedByProgram(processes())
	if err != nil {
		return sample{}, err
	}
	micros := map[string]float64{}
	for program, used := range after {
		micros[program] = (used - before[program]) / float64(len(took))
	}
	return sample{micros, float64(len(took)) / span.Seconds(), took}, nil
}

// usedByProgram returns the processor time that processes have used, in microseconds, by program name.
func usedByProgram(processes []stack.Process) (map[string]float64, error) {
	used := map[string]float64{}
	for _, p := range processes {
		micros, err := processorMicros(p.PID)
		if errors.Is(err, os.ErrNotExist) {
			continue // it has exited
		}
		if err != nil {
			return nil, err
		}
		used[programOf(p.Command)] += micros
	}
	return used, nil
}

// programOf returns the name of the service or server of a command line. Postgres processes of one
// database include the database name ("postgres-auth"); the others are "postgres". Chromium counts as
// cvrender.
func programOf(command string) string {
	words := strings.Fields(command)
	if len(words) == 0 {
		return ""
	}
	program := strings.TrimSuffix(words[0], ":") // Postgres sets such process titles
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

// BenchmarkIdleProcessorTime measures the processor time of a stack without requests. At few requests
// per second, this is a significant part of the processor time per request.
func BenchmarkIdleProcessorTime(b *testing.B) {
	const span = 20 * time.Second
	for b.Loop() {
		before, err := usedByProgram(system.Processes())
		if err != nil {
			b.Fatal(err)
		}
		time.Sleep(span)
		after, err := usedByProgram(system.Processes())
		if err != nil {
			b.Fatal(err)
		}
		for program, used := range after {
			b.ReportMetric((used-before[program])/1000/span.Seconds(), program+"-ms/s")
		}
	}
	b.ReportMetric(0, "ns/op")
}

// tick is a clock tick of the kernel in microseconds (sysconf(3), _SC_CLK_TCK). It is the same on every
// Linux that Go supports.
const tick = 10_000

// processorMicros returns the processor time of a process: utime and stime of proc_pid_stat(5).
func processorMicros(pid int) (float64, error) {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	text := string(raw)
	fields := strings.Fields(text[strings.LastIndexByte(text, ')')+1:])
	if len(fields) < 13 {
		return 0, fmt.Errorf("process %d: unreadable stat", pid)
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
