package bench

import (
	"testing"

	"vitae.internal/e2e/internal/stack"
)

// BenchmarkAgainstTheFloor measures the processor time of a read and of its floor in turn, some
// seconds apart, and reports how many times the floor's it is. With -one-process the parts share
// a process.
func BenchmarkAgainstTheFloor(b *testing.B) {
	for _, k := range kindsOfCalls {
		if k.name != "me" && k.name != "cv" && k.name != "job" {
			continue // they have no floor
		}
		b.Run(k.name, func(b *testing.B) {
			for b.Loop() {
				k.againstTheFloor(b)
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}

func (k kindOfCall) againstTheFloor(b *testing.B) {
	b.Helper()
	made := k.make(b)
	url, pid := startFloor(b, made.floor)
	processes := func() []stack.Process {
		return append(system.Processes(), stack.Process{PID: pid, Command: "floor"})
	}
	runs, _, err := turnByTurn(b.Context(), processes, []measured{{k.load, made.call}, {k.load, get(url, made.floor.credential)}})
	if err != nil {
		b.Fatal(err)
	}
	var ours, floor, ratios []float64
	for turn := range runs[0] {
		o, f := sum(runs[0][turn]), sum(runs[1][turn])
		ours, floor, ratios = append(ours, o), append(floor, f), append(ratios, o/f)
	}
	for program, micros := range means(runs[0]) {
		b.ReportMetric(micros, program+"-µs/req")
	}
	for program, micros := range means(runs[1]) {
		b.ReportMetric(micros, "floor-"+program+"-µs/req")
	}
	b.ReportMetric(median(ours), "all-µs/req")
	b.ReportMetric(median(floor), "floor-all-µs/req")
	b.ReportMetric(median(ratios), "x-floor")
	b.Logf("all runs, µs a request: %s; the floor: %s; times the floor: %s", listed("%.0f", ours), listed("%.0f", floor), listed("%.2f", ratios))
}
