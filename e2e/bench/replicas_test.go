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

// gateways is the number of gateway replicas.
const gateways = 3

const (
	// clients is the number of clients per replica, as in the other benchmarks.
	clients = 16
	// turns is the number of measurements for each number of replicas. They alternate, seconds apart,
	// because the speed of a shared machine changes within minutes by more than the difference to
	// measure.
	turns = 7
	// turn is the duration of one measurement.
	turn = 3 * time.Second
)

// BenchmarkGatewayReplicas sends load to one, two and three gateway replicas, and reports the processor
// time per request and its ratio to one replica. On a machine with few cores, more replicas cannot
// serve more requests. But if the processor time per request stays constant, no shared resource becomes
// more expensive with more replicas, so the gateway would scale on a larger machine. All three replicas
// always run, so the results include the cost of idle replicas.
//
// With "each", every replica has the same number of clients, as when operators add replicas for more
// load. With "same", the number of clients is constant, so each replica has less load.
func BenchmarkGatewayReplicas(b *testing.B) {
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

// startReplicas starts a stack with n gateway replicas.
func startReplicas(b *testing.B, n int) *stack.Stack {
	b.Helper()
	s := expect.Must(stack.New(stack.Options{
		Binaries: suite.Programs, Dir: filepath.Join(suite.Scratch, "replicas"), Replicas: n, Env: []string{suite.NoTiers, suite.Split},
	}))(b)
	suite.Begin(b, s)
	b.Cleanup(func() { suite.Stop(b, s) })
	return s
}

// inTurn returns a call that uses the URLs in turn.
func inTurn(urls []string, call func(url string) func(context.Context) error) func(context.Context) error {
	var calls []func(context.Context) error
	for _, a := range urls {
		calls = append(calls, call(a))
	}
	var next atomic.Int64
	return func(ctx context.Context) error {
		return calls[int(next.Add(1))%len(calls)](ctx)
	}
}

// turnByTurn measures several calls alternately, and returns the samples of each. calls is the number
// of calls of the first, including the warm-up.
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
// total, and the median of the ratios to one replica in the same turn.
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
		b.Logf("%d replicas: µs per request by turn: %s; ratios to one replica: %s", i+1, listed("%.0f", totals), listed("%.3f", ratios))
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
