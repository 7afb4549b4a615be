package bench

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/stack"
	"vitae.internal/e2e/internal/suite"
)

// gateways is how many replicas of the gateway are compared with one.
const gateways = 3

const (
	// clients is how many clients one replica has, as in the other benchmarks.
	clients = 16
	// turns is how often each number of replicas is measured. The numbers take turns, seconds
	// apart, because the speed of a shared machine changes within minutes by more than the
	// difference to measure.
	turns = 7
	// turn is how long a measurement takes.
	turn = 3 * time.Second
)

// BenchmarkReplicasOfTheGateway sends load to one, two and three replicas of the gateway, and
// reports the processor time of a request and its ratio to that with one. On a machine with few
// cores, more replicas cannot answer more. If the cost of a request stays constant, nothing that
// the replicas share grows with their number, so they would scale on a larger machine. All three
// run all the time, so the cost of idle replicas is included.
//
// With "each", every replica has as many clients as one has alone, as when operators add replicas
// for more load. With "same", the clients of one replica are spread over all of them, so that each
// has less to do at a time.
func BenchmarkReplicasOfTheGateway(b *testing.B) {
	s := startReplicas(b, gateways)
	c := connectedAt(b, s)
	for _, row := range []struct {
		name, path string
		each       bool
	}{
		{"me-each", "/v1/me", true}, {"cv-each", "/v1/me/cv", true}, {"me-same", "/v1/me", false},
	} {
		b.Run(row.name, func(b *testing.B) {
			var all []measured
			for n := 1; n <= gateways; n++ {
				m := measured{load: load{clients: clients, span: turn, rounds: 1}}
				if row.each {
					m.clients *= n
				}
				m.call = inTurn(s.BaseURLs[:n], func(base string) func(context.Context) error {
					return get(base+row.path, c.Tokens.Access)
				})
				all = append(all, m)
			}
			for b.Loop() {
				runs, _, err := turnByTurn(b.Context(), s.Processes, all)
				if err != nil {
					b.Fatal(err)
				}
				reportReplicas(b, runs)
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}

// measured is a call under a load.
type measured struct {
	load
	call func(context.Context) error
}

// startReplicas starts a stack with a number of replicas of the gateway.
func startReplicas(b *testing.B, n int) *stack.Stack {
	b.Helper()
	s := expect.Must(stack.New(stack.Options{
		Binaries: suite.Programs, Dir: filepath.Join(suite.Scratch, "replicas"), Replicas: n, Env: []string{suite.NoTiers, suite.Split},
	}))(b)
	suite.Begin(b, s)
	b.Cleanup(func() { suite.Stop(b, s) })
	return s
}

// inTurn returns a call that goes to each address in turn.
func inTurn(addresses []string, call func(address string) func(context.Context) error) func(context.Context) error {
	var calls []func(context.Context) error
	for _, a := range addresses {
		calls = append(calls, call(a))
	}
	var next atomic.Int64
	return func(ctx context.Context) error {
		return calls[int(next.Add(1))%len(calls)](ctx)
	}
}

// turnByTurn measures each call several times, in turn, and returns the samples of each. calls is
// how often the first one was called, including the warm-up.
func turnByTurn(ctx context.Context, processes func() []stack.Process, all []measured) (runs [][]sample, calls float64, err error) {
	runs = make([][]sample, len(all))
	for round := range turns + 1 {
		for i, m := range all {
			found, err := m.sample(ctx, processes, m.call)
			if err != nil {
				return nil, 0, err
			}
			if i == 0 {
				calls += float64(len(found.took))
			}
			if round > 0 { // the first round warms up
				runs[i] = append(runs[i], found)
			}
		}
	}
	return runs, calls, nil
}

// reportReplicas reports the median processor time for each number of replicas, by program and in
// total. It also reports the median ratio to one replica in the same turn.
func reportReplicas(b *testing.B, runs [][]sample) {
	b.Helper()
	for i, ofNumber := range runs {
		var totals, ratios []float64
		byProgram := map[string][]float64{}
		for round, found := range ofNumber {
			total := sum(found.micros)
			totals, ratios = append(totals, total), append(ratios, total/sum(runs[0][round].micros))
			for program, micros := range found.micros {
				byProgram[program] = append(byProgram[program], micros)
			}
		}
		of := fmt.Sprintf("of-%d-", i+1)
		for program, micros := range byProgram {
			if m := median(micros); m >= 1 {
				b.ReportMetric(m, of+program+"-µs/req")
			}
		}
		b.ReportMetric(median(totals), of+"all-µs/req")
		b.ReportMetric(median(ratios), of+"to-1")
		b.Logf("%d replicas: all runs, µs a request: %s; to one: %s", i+1, listed("%.0f", totals), listed("%.3f", ratios))
	}
}

func sum(cost map[string]float64) (total float64) {
	for micros := range maps.Values(cost) {
		total += micros
	}
	return total
}

func listed(format string, values []float64) string {
	var texts []string
	for _, v := range values {
		texts = append(texts, fmt.Sprintf(format, v))
	}
	return strings.Join(texts, " ")
}
