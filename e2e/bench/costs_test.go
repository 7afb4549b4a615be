package bench

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"os"
	"slices"
	"testing"
	"time"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/stack"
)

var costsFile = flag.String("costs", "", "write the table of BenchmarkCosts to this file")

// rowsOfCosts lists the rows of the cost table. "cv unchanged" is a read with If-None-Match and a 304
// response; "jobs" and "candidates" are pages of 25.
var rowsOfCosts = slices.Concat(
	kindsNamed("me", "cv"),
	[]kindOfCall{{"cv unchanged", busy, readOfUnchangedCV}},
	kindsNamed("job"),
	[]kindOfCall{{"jobs", busy, readOfJobs}},
	kindsNamed("candidates", "introspection", "refresh", "pdf unchanged", "pdf rendered"),
)

func kindsNamed(names ...string) (kinds []kindOfCall) {
	for _, k := range kindsOfCalls {
		if slices.Contains(names, k.name) {
			kinds = append(kinds, k)
		}
	}
	return kinds
}

// BenchmarkCosts measures the calls that partners make most often: processor time, throughput and latency. Each
// call is compared with the same read from the floor server (/v1/me if the floor server lacks it), with a
// different call, or with a bare tab. The two are measured alternately, seconds apart. With -costs, it writes a
// table.
func BenchmarkCosts(b *testing.B) {
	var t costTable
	for _, k := range rowsOfCosts {
		b.Run(k.name, func(b *testing.B) {
			for b.Loop() {
				row := k.compare(b)
				row.report(b)
				t = append(t, row)
			}
			b.ReportMetric(0, "ns/op")
		})
	}
	if *costsFile == "" {
		return
	}
	if err := os.WriteFile(*costsFile, []byte(t.String()), 0o644); err != nil {
		b.Fatal(err)
	}
}

// compare measures a kind of call and its baseline.
func (k kindOfCall) compare(b *testing.B) costRow {
	b.Helper()
	made := k.make(b)
	other := made.compareWith(b)
	// The child processes of the benchmark are the stack and the baseline.
	processes := func() []stack.Process { return stack.Below(os.Getpid()) }
	runs, _, err := turnByTurn(b.Context(), processes, []measured{{k.load, made.call}, {k.load, other.call}})
	if err != nil {
		b.Fatal(err)
	}
	row := costRow{name: k.name, with: other.name}
	row.ours, row.other = costOf(runs[0]), costOf(runs[1])
	for turn := range runs[0] {
		ours, other := runs[0][turn], runs[1][turn]
		row.times = append(row.times, sum(ours.micros)/sum(other.micros))
		row.rates = append(row.rates, ours.perSecond/other.perSecond)
	}
	return row
}

// compareWith returns the baseline.
func (made preparedCall) compareWith(b *testing.B) baseline {
	b.Helper()
	if made.baseline != nil {
		return made.baseline(b)
	}
	name, f := "its floor", made.floor
	if f == (floorOf{}) {
		name, f = "the floor of me", floorOfUser(connected(b), "/me")
	}
	url := startFloor(b, f)
	return baseline{name, get(url, f.credential)}
}

// pathOfFloor maps each path of the floor server to the Vitae path that reads the same data.
var pathOfFloor = map[string]func(floorOf) string{
	"/me":    func(floorOf) string { return "/v1/me" },
	"/me/cv": func(floorOf) string { return "/v1/me/cv" },
	"/job":   func(f floorOf) string { return "/v1/jobs/" + f.id },
}

// costRow holds the measurements of a call and of its baseline.
type costRow struct {
	// name is the name of the call. with is the name of the baseline.
	name, with  string
	ours, other cost
	// times and rates are the ratios of processor time and throughput to the baseline, for each turn.
	times, rates []float64
}

// cost holds the costs of a call.
type cost struct {
	// micros is the mean processor time by program. all is the total of all programs, as the median of the
	// turns. Both are in microseconds.
	micros map[string]float64
	all    float64
	// perSecond is the median throughput of the turns.
	perSecond float64
	// p50 and p99 are the 50th and the 99th percentile of the latency of all calls.
	p50, p99 time.Duration
}

func costOf(runs []sample) cost {
	c := cost{micros: means(runs)}
	var all, rates []float64
	var took []time.Duration
	for _, found := range runs {
		all, rates, took = append(all, sum(found.micros)), append(rates, found.perSecond), append(took, found.took...)
	}
	slices.Sort(took)
	c.all, c.perSecond = median(all), median(rates)
	c.p50, c.p99 = took[len(took)/2], took[len(took)*99/100]
	return c
}

func (r costRow) report(b *testing.B) {
	b.Helper()
	for _, side := range []struct {
		name string
		cost
	}{{"", r.ours}, {"other-", r.other}} {
		for program, micros := range maps.All(side.micros) {
			b.ReportMetric(micros, side.name+program+"-µs/req")
		}
		b.ReportMetric(side.all, side.name+"all-µs/req")
		b.ReportMetric(side.perSecond, side.name+"req/s")
		b.ReportMetric(milliseconds(side.p50), side.name+"p50-ms")
		b.ReportMetric(milliseconds(side.p99), side.name+"p99-ms")
	}
	b.ReportMetric(median(r.times), "x-other")
	b.ReportMetric(median(r.rates), "of-other-req/s")
	b.Logf("ratios to %s, by turn: %s", r.with, listed("%.2f", r.times))
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// readOfUnchangedCV returns a read of a CV that the client already has. The baseline is a full read.
func readOfUnchangedCV(b *testing.B) preparedCall {
	s := connected(b)
	url := s.App.BaseURL + "/v1/me/cv"
	first := expect.Must(partner.Get(b.Context(), url, s.Tokens.Access))(b)
	tag := first.Header.Get("ETag")
	if first.Status != http.StatusOK || tag == "" {
		b.Fatalf("no entity tag: %s", first)
	}
	read := baseline{"cv", get(url, s.Tokens.Access)}
	return preparedCall{baseline: func(*testing.B) baseline { return read }, call: func(ctx context.Context) error {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return err
		}
		req.Header.Set("Authorization", "Bearer "+s.Tokens.Access)
		req.Header.Set("If-None-Match", tag)
		return send(req, http.StatusNotModified)
	}}
}

// readOfJobs returns a read of a page of 25 jobs.
func readOfJobs(b *testing.B) preparedCall {
	e := newEmployer(b)
	company := e.created.Companies["big"].ID
	fill(b, e.database(b, "partnercatalog"), "jobs", e.created.Jobs["template"].ID, company, 25)
	return sized(b, fmt.Sprintf("%s/v1/companies/%s/jobs", e.baseURL, company), e.key)
}

// BenchmarkClients measures reads with 1 to 256 concurrent clients, alternately.
func BenchmarkClients(b *testing.B) {
	s := connected(b)
	read := get(s.App.BaseURL+"/v1/me", s.Tokens.Access)
	var all []measured
	for n := 1; n <= 256; n *= 4 {
		all = append(all, measured{load{clients: n, span: 2 * time.Second, rounds: 1}, read})
	}
	for b.Loop() {
		runs, _, err := turnByTurn(b.Context(), system.Processes, all)
		if err != nil {
			b.Fatal(err)
		}
		for i, of := range runs {
			c, name := costOf(of), fmt.Sprintf("%d-", all[i].clients)
			b.ReportMetric(c.all, name+"all-µs/req")
			b.ReportMetric(c.perSecond, name+"req/s")
			b.ReportMetric(milliseconds(c.p50), name+"p50-ms")
			b.ReportMetric(milliseconds(c.p99), name+"p99-ms")
		}
	}
	b.ReportMetric(0, "ns/op")
}

// means returns the mean processor time of several runs by program, in microseconds. It omits programs
// with less than 1 % of the total: the kernel counts in ticks, so a single tick of an idle program is
// not significant.
func means(runs []sample) map[string]float64 {
	all := map[string]float64{}
	for _, found := range runs {
		for program, micros := range found.micros {
			all[program] += micros / float64(len(runs))
		}
	}
	total := sum(all)
	maps.DeleteFunc(all, func(_ string, micros float64) bool { return micros < total/100 })
	return all
}
