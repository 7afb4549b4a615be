package bench

import (
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"vitae.internal/e2e/capacity"
	"vitae.internal/e2e/capacity/sizes"
	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/stack"
	"vitae.internal/e2e/internal/suite"
)

var update = flag.Bool("capacity.update", false, "write what BenchmarkCapacity measures to the file of package capacity")

// coefficients is the file of what was measured, from this folder.
const coefficients = "../capacity/coefficients.json"

// BenchmarkCapacity measures what package capacity computes with, and compares it with the
// file: sizes, and for each kind of call the processor time by process. Where there is a floor
// for a call, its processor time is measured in turn, and what is compared with the file is the
// ratio to the floor, because the speed of a machine drifts.
//
// With -capacity.update it writes what it has measured to the file, and leaves the rest of it as
// it was. `make capacity` measures all of it, and writes docs/scale.md.
func BenchmarkCapacity(b *testing.B) {
	file, measured := expect.Must(capacity.ReadCoefficients(coefficients))(b), origin(b)
	keep := func(b *testing.B) {
		b.Helper()
		if !*update {
			return
		}
		file.Measured = measured
		if err := file.Write(coefficients); err != nil {
			b.Fatal(err)
		}
	}
	for _, k := range kindsOfCalls {
		b.Run(k.name, func(b *testing.B) {
			db := employer{}.database(b, "auth")
			for b.Loop() {
				call, floor := k.measure(b, db)
				reportCall(b, call, floor, file.Calls[k.name], file.FloorMicros[k.name])
				file.Calls[k.name] = call
				if floor > 0 {
					file.FloorMicros[k.name] = floor
				}
				keep(b)
			}
			b.ReportMetric(0, "ns/op")
		})
	}
	b.Run("sizes", func(b *testing.B) {
		for b.Loop() {
			now := sizesOfNewStack(b)
			reportSizes(b, now, file)
			file.Rows, file.Redis, file.Blob = now.Rows, now.Redis, now.Blob
			keep(b)
		}
		b.ReportMetric(0, "ns/op")
	})
}

func sizesOfNewStack(b *testing.B) sizes.Sizes {
	b.Helper()
	s := expect.Must(stack.New(stack.Options{Binaries: suite.Programs, Dir: filepath.Join(suite.Scratch, "sizes"), Replicas: 1, Env: []string{sizes.Setting}}))(b)
	suite.Begin(b, s)
	defer suite.Stop(b, s)
	return sizes.Measure(b, s)
}

// origin says where figures come from. Later the tree has the file that is written.
func origin(b *testing.B) capacity.Origin {
	b.Helper()
	revision, err := exec.CommandContext(b.Context(), "git", "describe", "--always", "--dirty").Output()
	if err != nil {
		b.Fatal(err)
	}
	machine := fmt.Sprintf("%d cores", runtime.NumCPU())
	info := expect.Must(os.ReadFile("/proc/cpuinfo"))(b)
	for line := range strings.SplitSeq(string(info), "\n") {
		if name, model, _ := strings.Cut(line, ":"); strings.TrimSpace(name) == "model name" {
			machine += ", " + strings.TrimSpace(model)
			break
		}
	}
	return capacity.Origin{On: time.Now().UTC().Format(time.DateOnly), Revision: strings.TrimSpace(string(revision)), Machine: machine}
}

// measure measures one kind of call, and the processor time of the floor if it has one.
func (k kindOfCall) measure(b *testing.B, db *pgx.Conn) (call capacity.Call, floor float64) {
	b.Helper()
	made := k.make(b)
	all := []measured{{k.load, made.call}}
	if made.floor != (floorOf{}) {
		url := startFloor(b, made.floor)
		all = append(all, measured{k.load, get(url, made.floor.credential)})
	}
	processes := func() []stack.Process { return stack.Below(os.Getpid()) }
	before := written(b, db)
	runs, calls, err := turnByTurn(b.Context(), processes, all)
	if err != nil {
		b.Fatalf("%s: %v", k.name, err)
	}
	after := written(b, db)
	call = capacity.Call{
		Micros: means(runs[0]), Answer: made.answer,
		WAL: (after.wal - before.wal) / calls, Flushes: (after.syncs - before.syncs) / calls,
		Logged: (after.logged - before.logged) / calls, Events: (after.events - before.events) / calls,
	}
	delete(call.Micros, "floor")
	if len(runs) > 1 {
		floor = sum(means(runs[1]))
	}
	return call, floor
}

// means are the means by program of several runs, without the programs that have spent less
// than a hundredth of it. The kernel counts in ticks, so a run in which an idle program was
// charged one says little.
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

// counted is what Postgres has counted.
type counted struct{ wal, syncs, logged, events float64 }

// written reads what Postgres has counted, once nothing is written any more: calls are
// recorded after their answers.
func written(b *testing.B, db *pgx.Conn) (now counted) {
	b.Helper()
	before := counted{logged: -1}
	err := stack.Until(b.Context(), "nothing is written any more", func(ctx context.Context) error {
		time.Sleep(2 * time.Second) // longer than a report of the gateway and the statistics of Postgres wait
		err := db.QueryRow(ctx, `SELECT wal_bytes::float8, wal_sync::float8, (SELECT count(*) FROM request_log)::float8,
			(SELECT count(*) FROM audit_events)::float8 FROM pg_stat_wal`).Scan(&now.wal, &now.syncs, &now.logged, &now.events)
		if err == nil && (now.logged != before.logged || now.events != before.events) {
			before, err = now, fmt.Errorf("%.0f calls and %.0f events so far", now.logged, now.events)
		}
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	return now
}

// reportCall reports the cost of a call and of its floor, and compares them with the file.
func reportCall(b *testing.B, now capacity.Call, floor float64, was capacity.Call, floorWas float64) {
	b.Helper()
	total := sum(now.Micros)
	for program, micros := range now.Micros {
		b.ReportMetric(micros, program+"-µs/req")
	}
	b.ReportMetric(total, "all-µs/req")
	of, ofWas, unit := total, sum(was.Micros), "µs"
	if floor > 0 && floorWas > 0 {
		of, ofWas, unit = total/floor, ofWas/floorWas, "of the floor"
		b.ReportMetric(of, "of-floor")
	}
	if ofWas > 0 {
		b.ReportMetric(of/ofWas, "to-file")
	}
	b.Logf("%.2f %s, in the file %.2f; WAL %.0f bytes (%.0f), flushes %.2f (%.2f), logged %.2f (%.2f), events %.2f (%.2f), answer %.0f bytes (%.0f)",
		of, unit, ofWas, now.WAL, was.WAL, now.Flushes, was.Flushes, now.Logged, was.Logged, now.Events, was.Events, now.Answer, was.Answer)
}

// reportSizes compares sizes with the file, which a test of package sizes holds as well.
func reportSizes(b *testing.B, now sizes.Sizes, file capacity.Coefficients) {
	b.Helper()
	for _, kind := range capacity.RowKinds {
		b.Logf("%s: rows %.0f bytes (the file %.0f), indexes %.0f (%.0f)", kind,
			now.Rows[kind].Table, file.Rows[kind].Table, now.Rows[kind].Indexes, file.Rows[kind].Indexes)
	}
	for _, kind := range capacity.KeyKinds {
		b.Logf("%s: %.0f bytes in Redis (the file %.0f)", kind, now.Redis[kind], file.Redis[kind])
	}
	b.Logf("bucket: %.0f bytes beside a resume (the file %.0f)", now.Blob, file.Blob)
}
