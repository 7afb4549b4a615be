package bench

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// costTable prints costs as a Markdown table.
type costTable []costRow

// columns lists the programs of a table, in the order of a request. All databases of Postgres are one
// column.
var columns = []string{"gateway", "auth", "partnercatalog", "candidate", "cvrender", "postgres", "redis-server"}

func (t costTable) String() string {
	var programs []string
	for _, program := range columns {
		if slices.ContainsFunc(t, func(r costRow) bool { return r.ours.of(program) > 0 }) {
			programs = append(programs, program)
		}
	}
	var s strings.Builder
	fmt.Fprintf(&s, "| call | %s | all, µs | answers a second | p50, p99, ms | compared with | its µs | its answers a second | its p50, p99, ms | times its µs | of its answers |\n",
		strings.Join(programs, " | "))
	s.WriteString(strings.Repeat("|---", len(programs)+10) + "|\n")
	for _, r := range t {
		fmt.Fprintf(&s, "| %s |", r.name)
		for _, program := range programs {
			if micros := r.ours.of(program); micros > 0 {
				fmt.Fprintf(&s, " %.0f |", micros)
			} else {
				s.WriteString(" |")
			}
		}
		fmt.Fprintf(&s, " %s | %s | %s | **%.2f** | %.2f |\n", r.ours, r.with, r.other, median(r.times), median(r.rates))
	}
	return s.String()
}

// of returns the processor time of a program together with all programs whose names start with its name and a
// hyphen.
func (c cost) of(program string) (micros float64) {
	for name, m := range c.micros {
		if name == program || strings.HasPrefix(name, program+"-") {
			micros += m
		}
	}
	return micros
}

// String returns the table cells of the total.
func (c cost) String() string {
	return fmt.Sprintf("%.0f | %.0f | %.1f, %.1f", c.all, c.perSecond, milliseconds(c.p50), milliseconds(c.p99))
}

func TestTableHasAColumnPerProgram(t *testing.T) {
	turns := func(micros ...float64) (all []sample) {
		for _, m := range micros {
			all = append(all, sample{
				micros:    map[string]float64{"gateway": m, "postgres": 10, "postgres-auth": 30},
				perSecond: 1e6 / m, took: []time.Duration{time.Millisecond, 2 * time.Millisecond, 30 * time.Millisecond},
			})
		}
		return all
	}
	ours, other := costOf(turns(100, 300, 200)), costOf([]sample{{map[string]float64{"floor": 120}, 500, []time.Duration{time.Millisecond}}})
	got := costTable{{name: "me", with: "its floor", ours: ours, other: other, times: []float64{2, 1, 3}, rates: []float64{0.5, 0.25, 0.75}}}.String()
	want := `| call | gateway | postgres | all, µs | answers a second | p50, p99, ms | compared with | its µs | its answers a second | its p50, p99, ms | times its µs | of its answers |
|---|---|---|---|---|---|---|---|---|---|---|---|
| me | 200 | 40 | 240 | 5000 | 2.0, 30.0 | its floor | 120 | 500 | 1.0, 1.0 | **2.00** | 0.50 |
`
	if got != want {
		t.Errorf("got the table\n%s\nwant\n%s", got, want)
	}
}
