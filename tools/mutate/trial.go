package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// outcome says what became of a fault.
type outcome int

const (
	// unnoticed is a fault with which every test passes.
	unnoticed outcome = iota
	// noticed is a fault with which a test fails.
	noticed
	// hung is a fault with which a test has not ended in time. Such a test tells nobody
	// what is wrong, so it does not count as noticed: it needs a deadline of its own.
	hung
	// invalid is a fault with which the package does not compile. It does not count.
	invalid
)

func (o outcome) String() string {
	return [...]string{"UNNOTICED", "noticed", "HUNG", "invalid"}[o]
}

// bench runs the tests of the repository.
type bench struct {
	// root of the repository, and a folder for changed files.
	root, dir string
	// patience is the longest time for the tests of a package, and of a service.
	patience, servicePatience time.Duration
	// said is what the last run of tests printed.
	said string
	// rapid tells of a folder whether its tests are linked with package rapid.
	rapid map[string]bool
}

var failed = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)`)

// try runs the tests of a target with a fault in place. It gives the first test that
// failed.
func (b *bench) try(ctx context.Context, t target, m mutant, withService bool) (outcome, string, error) {
	overlay, err := b.overlay(m)
	if err != nil {
		return 0, "", err
	}
	for _, own := range t.own {
		if o, test := b.test(ctx, overlay, own, b.patience); o != unnoticed {
			return o, test, ctx.Err()
		}
	}
	if withService && t.service != "" {
		o, test := b.test(ctx, overlay, t.service, b.servicePatience)
		return o, test, ctx.Err()
	}
	return unnoticed, "", ctx.Err()
}

// overlay writes the changed file, and what tells the go command to read it.
func (b *bench) overlay(m mutant) (string, error) {
	path := filepath.Join(b.root, m.file)
	original, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	changed := filepath.Join(b.dir, "mutant.go")
	if err := os.WriteFile(changed, m.source(original), 0o600); err != nil {
		return "", err
	}
	raw, err := json.Marshal(map[string]map[string]string{"Replace": {path: changed}})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(b.dir, "overlay.json")
	return overlay, os.WriteFile(overlay, raw, 0o600)
}

// test runs the tests of a package. Without an overlay they run without a fault.
func (b *bench) test(ctx context.Context, overlay, folder string, patience time.Duration) (outcome, string) {
	// The tests' own timeout tells which of them hang; the context ends what outlives it.
	ctx, cancel := context.WithTimeout(ctx, patience+5*time.Minute)
	defer cancel()
	args := []string{"test", "-count=1", "-failfast", "-vet=off", "-timeout=" + patience.String()}
	if overlay != "" {
		args = append(args, "-overlay="+overlay)
	}
	args = append(args, "./"+folder)
	if b.usesRapid(ctx, folder) {
		args = append(args, "-rapid.nofailfile")
	}
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.WaitDelay = b.root, time.Minute
	out, err := cmd.CombinedOutput()
	text := string(out)
	b.said = text
	switch {
	case err == nil:
		return unnoticed, ""
	case strings.Contains(text, "[build failed]"), strings.Contains(text, "[setup failed]"):
		return invalid, ""
	case strings.Contains(text, "panic: test timed out after"), ctx.Err() != nil:
		return hung, firstFailure(text)
	}
	return noticed, firstFailure(text)
}

// usesRapid reports whether the tests of a package are linked with rapid. Such tests write
// a file beside themselves when they fail, and only they know the flag that forbids it. A
// package that the go command cannot list has no tests that could run.
func (b *bench) usesRapid(ctx context.Context, folder string) bool {
	uses, known := b.rapid[folder]
	if known {
		return uses
	}
	cmd := exec.CommandContext(ctx, "go", "list", "-deps", "-test", "./"+folder)
	cmd.Dir = b.root
	out, err := cmd.Output()
	if err != nil {
		return false
	}
	if b.rapid == nil {
		b.rapid = map[string]bool{}
	}
	b.rapid[folder] = slices.Contains(strings.Fields(string(out)), "pgregory.net/rapid")
	return b.rapid[folder]
}

func firstFailure(output string) string {
	if m := failed.FindStringSubmatch(output); m != nil {
		return m[1]
	}
	return "a panic"
}

// measure runs the tests of a target as they are. They must pass, and what they take
// bounds what they may take with a fault.
func (b *bench) measure(ctx context.Context, t target) error {
	b.patience = 30 * time.Second
	for _, own := range t.own {
		began := time.Now()
		if o, test := b.test(ctx, "", own, 10*time.Minute); o != unnoticed {
			return fmt.Errorf("the tests of %s fail without any fault: %s\n%s", own, test, b.said)
		}
		b.patience = max(b.patience, 30*time.Second+3*time.Since(began).Round(time.Second))
	}
	return nil
}
