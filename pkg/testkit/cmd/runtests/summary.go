package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"sort"
	"strings"
	"time"
)

// event is one line of `go test -json` (`go doc test2json`).
type event struct {
	Action     string
	Package    string
	ImportPath string // of build-output and build-fail
	Test       string
	Output     string
	Elapsed    float64 // seconds
}

// summary counts tests and shows the output of those that failed. Subtests count.
type summary struct {
	out                     io.Writer
	passed, failed, skipped int
	broken                  int                         // packages that failed outside any test
	output                  map[string]*strings.Builder // by package and test
	failedIn                map[string]int              // failed tests by package
	failures                []string
	groupFailed             bool // something failed since the last exitedBadly
}

func newSummary(out io.Writer) *summary {
	return &summary{out: out, output: map[string]*strings.Builder{}, failedIn: map[string]int{}}
}

// read takes the events of one `go test` until its output ends.
func (s *summary) read(r io.Reader) error {
	lines := bufio.NewReader(r)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			var e event
			if json.Unmarshal(line, &e) != nil {
				fmt.Fprintf(s.out, "%s", line) // of the go command itself
			} else {
				s.add(e)
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read the events of go test: %w", err)
		}
	}
}

func (s *summary) add(e event) {
	key := e.Package + "\x00" + e.Test
	switch e.Action {
	case "output":
		if s.output[key] == nil {
			s.output[key] = &strings.Builder{}
		}
		s.output[key].WriteString(e.Output)
	case "build-output":
		fmt.Fprint(s.out, e.Output)
	case "pass", "fail", "skip":
		if e.Test == "" {
			s.endPackage(e, key)
		} else {
			s.endTest(e, key)
		}
		delete(s.output, key)
	}
}

func (s *summary) endTest(e event, key string) {
	switch e.Action {
	case "pass":
		s.passed++
	case "skip":
		s.skipped++
	case "fail":
		s.failed++
		s.failedIn[e.Package]++
		s.groupFailed = true
		s.failures = append(s.failures, e.Package+" "+e.Test)
		s.show(key)
	}
}

func (s *summary) endPackage(e event, key string) {
	switch e.Action {
	case "pass":
		fmt.Fprintf(s.out, "ok    %s  %.1fs\n", e.Package, e.Elapsed)
	case "fail":
		s.groupFailed = true
		if s.failedIn[e.Package] == 0 { // did not build, panicked, or failed in TestMain
			s.broken++
			s.failures = append(s.failures, e.Package)
		}
		s.show(key)
		s.showUnfinished(e.Package)
		fmt.Fprintf(s.out, "FAIL  %s  %.1fs\n", e.Package, e.Elapsed)
	}
}

func (s *summary) show(key string) {
	if b := s.output[key]; b != nil {
		fmt.Fprint(s.out, b.String())
	}
}

// showUnfinished shows what tests printed that were running when the package's
// process ended: a panic, or the stacks of a timeout.
func (s *summary) showUnfinished(pkg string) {
	for _, key := range sortedKeys(s.output) {
		if strings.HasPrefix(key, pkg+"\x00") && key != pkg+"\x00" {
			s.show(key)
			delete(s.output, key)
		}
	}
}

// exitedBadly makes sure that a `go test` that failed without an event, such as
// one with a pattern that matches nothing, is a failure all the same.
func (s *summary) exitedBadly() {
	if !s.groupFailed {
		s.broken++
		s.failures = append(s.failures, "go test")
	}
	s.groupFailed = false
}

func (s *summary) ok() bool { return s.failed+s.broken == 0 && s.passed > 0 }

func (s *summary) print(took time.Duration) {
	if len(s.failures) > 0 {
		fmt.Fprintln(s.out, "\nFailed:")
		for _, f := range s.failures {
			fmt.Fprintln(s.out, "  "+f)
		}
	}
	fmt.Fprintf(s.out, "\nTook %s\n", took.Round(time.Second))
	counts := fmt.Sprintf("%d passed, %d failed", s.passed, s.failed+s.broken)
	if s.skipped > 0 {
		counts += fmt.Sprintf(", %d skipped", s.skipped)
	}
	fmt.Fprintln(s.out, counts)
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
