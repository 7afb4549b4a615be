// Command testtime reports which packages and tests of a run took the most time:
//
//	testtime EVENTS [START]
//
// EVENTS is a file with the events of `go test -json`. START is the first line of /proc/stat, read when the run began.
// With START, the report ends with the share of CPU time that was idle during the run. tools/test.sh runs this
// command.
package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
)

// listed is the maximum number of packages, and of tests, in the report.
const listed = 10

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "testtime:", err)
		os.Exit(1)
	}
}

func run(args []string, w io.Writer) error {
	if len(args) < 1 || len(args) > 2 {
		return errors.New("usage: testtime EVENTS [START]")
	}
	events, err := os.Open(args[0])
	if err != nil {
		return err
	}
	defer events.Close()
	packages, tests, err := slowest(events)
	if err != nil {
		return fmt.Errorf("%s: %w", args[0], err)
	}
	report(w, "Slowest packages", packages)
	report(w, "Slowest tests", tests)
	if len(args) == 1 {
		return nil
	}
	now, err := os.ReadFile("/proc/stat")
	if err != nil {
		return err
	}
	share, err := idle(args[1], string(now))
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "Idle: %.0f %% of the processors' time\n", 100*share)
	return nil
}

// timed is a finished package or test.
type timed struct {
	name    string
	seconds float64
}

// slowest returns the packages and the top-level tests of a run, slowest first. The time of a parallel test does not
// include the time for which it waited for other tests.
func slowest(events io.Reader) (packages, tests []timed, err error) {
	lines := bufio.NewScanner(events)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var e struct {
			Action, Package, Test string
			Elapsed               float64
		}
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			return nil, nil, err
		}
		switch {
		case e.Action != "pass" && e.Action != "fail":
		case e.Test == "":
			packages = append(packages, timed{e.Package, e.Elapsed})
		case !strings.Contains(e.Test, "/"):
			tests = append(tests, timed{e.Package + " " + e.Test, e.Elapsed})
		}
	}
	for _, all := range [][]timed{packages, tests} {
		slices.SortStableFunc(all, func(a, b timed) int { return cmp.Compare(b.seconds, a.seconds) })
	}
	return packages, tests, lines.Err()
}

func report(w io.Writer, title string, all []timed) {
	fmt.Fprintln(w, title)
	for _, t := range all[:min(listed, len(all))] {
		fmt.Fprintf(w, "%8.1f s  %s\n", t.seconds, t.name)
	}
}

// idle returns the share of CPU time, from 0 to 1, that was idle between two readings of the first line of /proc/stat.
// Waiting for a disk counts as idle (proc_stat(5)).
func idle(before, after string) (float64, error) {
	rested1, total1, err := ticks(before)
	if err != nil {
		return 0, err
	}
	rested2, total2, err := ticks(after)
	if err != nil {
		return 0, err
	}
	if total2 <= total1 {
		return 0, errors.New("the two readings of /proc/stat are the same")
	}
	return (rested2 - rested1) / (total2 - total1), nil
}

// ticks returns the idle ticks and the total ticks in a line "cpu USER NICE SYSTEM IDLE IOWAIT IRQ SOFTIRQ STEAL GUEST
// GUEST_NICE". The total omits guest time, which is part of user time.
func ticks(stat string) (rested, total float64, err error) {
	line, _, _ := strings.Cut(stat, "\n")
	fields := strings.Fields(line)
	if len(fields) < 9 || fields[0] != "cpu" {
		return 0, 0, fmt.Errorf("not a line of /proc/stat: %q", line)
	}
	for i, field := range fields[1:9] {
		n, err := strconv.ParseFloat(field, 64)
		if err != nil {
			return 0, 0, fmt.Errorf("not a line of /proc/stat: %q", line)
		}
		total += n
		if i == 3 || i == 4 {
			rested += n
		}
	}
	return rested, total, nil
}
