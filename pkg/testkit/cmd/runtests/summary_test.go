package main

import (
	"strings"
	"testing"
	"time"
)

func TestTheCountsSayWhatHappened(t *testing.T) {
	const pass = `{"Action":"pass","Package":"p","Test":"TestA"}` + "\n"
	cases := map[string]struct {
		events string
		exit   bool
		want   string
		ok     bool
	}{
		"all passed":       {pass + `{"Action":"pass","Package":"p"}`, false, "1 passed, 0 failed", true},
		"one failed":       {pass + `{"Action":"fail","Package":"p","Test":"TestB"}` + "\n" + `{"Action":"fail","Package":"p"}`, true, "1 passed, 1 failed", false},
		"one skipped":      {pass + `{"Action":"skip","Package":"p","Test":"TestB"}`, false, "1 passed, 0 failed, 1 skipped", true},
		"does not build":   {pass + `{"Action":"fail","Package":"q"}`, true, "1 passed, 1 failed", false},
		"matches nothing":  {"no such package\n", true, "0 passed, 1 failed", false},
		"nothing executed": {"", false, "0 passed, 0 failed", false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			s := newSummary(&out)
			if err := s.read(strings.NewReader(c.events)); err != nil {
				t.Fatal(err)
			}
			if c.exit {
				s.exitedBadly()
			}
			s.print(time.Second)
			lines := strings.Split(strings.TrimSpace(out.String()), "\n")
			if got := lines[len(lines)-1]; got != c.want {
				t.Errorf("last line %q, want %q", got, c.want)
			}
			if s.ok() != c.ok {
				t.Errorf("ok = %v, want %v", s.ok(), c.ok)
			}
		})
	}
}

func TestOutputIsShownOfFailedTestsOnly(t *testing.T) {
	var out strings.Builder
	s := newSummary(&out)
	events := []string{
		`{"Action":"output","Package":"p","Test":"TestA","Output":"chatter\n"}`,
		`{"Action":"pass","Package":"p","Test":"TestA"}`,
		`{"Action":"output","Package":"p","Test":"TestB","Output":"the reason\n"}`,
		`{"Action":"fail","Package":"p","Test":"TestB"}`,
		`{"Action":"output","Package":"p","Test":"TestC","Output":"panic: at the disco\n"}`,
		`{"Action":"fail","Package":"p"}`,
	}
	if err := s.read(strings.NewReader(strings.Join(events, "\n"))); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"the reason", "panic: at the disco"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not shown", want)
		}
	}
	if strings.Contains(out.String(), "chatter") {
		t.Error("the output of a passed test is shown")
	}
}
