package main

import (
	"errors"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
)

var (
	// failed is a test that has failed, crashed one that has taken its program with it.
	failed  = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)`)
	crashed = regexp.MustCompile(`(?m)^(panic|fatal error): `)
	// rejected is what the compiler says of a program that is none.
	rejected = regexp.MustCompile(`(?m)^\S+\.go:\d+(:\d+)?: `)
	// exhausted is what the go command, the tests and their servers say when the machine
	// has nothing left to give.
	exhausted = regexp.MustCompile(`(?im)^.*(no space left on device|disk quota exceeded|read-only file system|input/output error|` +
		`cannot allocate memory|runtime: out of memory|too many open files|fork/exec .*resource temporarily unavailable).*$`)
	// killed is a test binary that was ended from outside, mostly for its memory.
	killed = regexp.MustCompile(`(?m)^signal: killed$`)
)

// judge says what a run of the go command tells of a fault: what it has printed, how it
// has ended, and whether its time was up. A fault is noticed only if a test says so. What
// the machine has caused is an error: it tells nothing of the tests.
func judge(text string, err error, late bool) (outcome, error) {
	var exit *exec.ExitError
	built := !strings.Contains(text, "[build failed]") && !strings.Contains(text, "[setup failed]")
	switch {
	case err == nil:
		return unnoticed, nil
	case exhausted.MatchString(text):
		return 0, fmt.Errorf("the machine has failed, not a test: %s", strings.TrimSpace(exhausted.FindString(text)))
	case strings.Contains(text, "panic: test timed out after"), strings.Contains(text, "*** Test killed"), late:
		return hung, nil
	case !errors.As(err, &exit), exit.ExitCode() < 0, killed.MatchString(text), !built && strings.Contains(text, "signal: "):
		return 0, fmt.Errorf("the go command, or what it ran, was ended from outside: %w\n%s", err, text)
	case !built && rejected.MatchString(text):
		return invalid, nil
	case !built:
		return 0, fmt.Errorf("the tests cannot be built, and the compiler does not say why: %w\n%s", err, text)
	case failed.MatchString(text), crashed.MatchString(text):
		return noticed, nil
	}
	return silent, nil
}

// firstFailure names the first test that has failed.
func firstFailure(output string) string {
	if m := failed.FindStringSubmatch(output); m != nil {
		return m[1]
	}
	if crashed.MatchString(output) {
		return "a panic"
	}
	return "the tests do not start"
}
