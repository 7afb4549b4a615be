package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
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
	// silent is a fault with which the tests end before one of them fails, as when they
	// cannot start. It is noticed if they do start without it.
	silent
)

func (o outcome) String() string {
	return [...]string{"UNNOTICED", "noticed", "HUNG", "invalid", "silent"}[o]
}

// bench runs the tests of the repository.
type bench struct {
	// root of the repository, and a folder for changed files and what the go command leaves.
	root, dir string
	cache     buildCache
	// patience is the longest time for the tests of a package, and of a service.
	patience, servicePatience time.Duration
	// rapid tells of a folder whether its tests are linked with package rapid.
	rapid map[string]bool
	// built are the folders whose tests are in the cache.
	built map[string]bool
	// witnesses are the folders whose tests have noticed a fault since they were last run
	// without one, with the longest time for them.
	witnesses map[string]time.Duration
}

// newBench makes a bench with everything below a folder. Another one for the cache may
// hold what an earlier run has built.
func newBench(root, dir, cache string) (*bench, error) {
	if cache == "" {
		cache = filepath.Join(dir, "cache")
	}
	cache, err := filepath.Abs(cache)
	if err != nil {
		return nil, err
	}
	b := &bench{
		root: root, dir: dir, cache: buildCache{dir: cache}, servicePatience: 20 * time.Minute,
		rapid: map[string]bool{}, built: map[string]bool{}, witnesses: map[string]time.Duration{},
	}
	if err := os.MkdirAll(filepath.Join(dir, "tmp"), 0o700); err != nil {
		return nil, err
	}
	return b, b.cache.keep()
}

// try runs the tests of a target with a fault in place. It gives the first test that
// failed.
func (b *bench) try(ctx context.Context, t target, m mutant, withService bool) (o outcome, test string, err error) {
	overlay, err := b.overlay(m)
	if err != nil {
		return 0, "", err
	}
	for _, own := range t.own {
		if o, test, err = b.test(ctx, overlay, own, b.patience); err != nil || o != unnoticed {
			return o, test, err
		}
	}
	if !withService || t.service == "" {
		return unnoticed, "", nil
	}
	if err := b.build(ctx, t.service); err != nil {
		return 0, "", err
	}
	return b.test(ctx, overlay, t.service, b.servicePatience)
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

// build has the cache keep what the tests of a folder need, without a fault, so that not
// every fault builds it again.
func (b *bench) build(ctx context.Context, folder string) error {
	if b.built[folder] {
		return nil
	}
	if err := b.cache.forget(); err != nil {
		return err
	}
	out, err := b.command(ctx, "test", "-c", "-o", filepath.Join(b.dir, "tmp", "unused"), "./"+folder).CombinedOutput()
	if err != nil {
		return fmt.Errorf("the tests of %s cannot be built without any fault: %w\n%s", folder, err, out)
	}
	b.built[folder] = true
	return b.cache.keep()
}

// test runs the tests of a package. Without an overlay they run without a fault. It is an
// error if they tell nothing of the fault, because of the machine.
func (b *bench) test(ctx context.Context, overlay, folder string, patience time.Duration) (outcome, string, error) {
	o, said, err := b.run(ctx, overlay, folder, patience)
	if err != nil || o == unnoticed || o == invalid {
		return o, "", err
	}
	if o == silent && overlay != "" {
		if err := b.passes(ctx, folder, patience); err != nil {
			return 0, "", err
		}
		o = noticed
	}
	if o == noticed && overlay != "" {
		b.witnesses[folder] = patience
	}
	return o, firstFailure(said), nil
}

func (b *bench) run(ctx context.Context, overlay, folder string, patience time.Duration) (o outcome, said string, err error) {
	args := []string{"test", "-count=1", "-failfast", "-vet=off", "-timeout=" + patience.String()}
	if overlay != "" {
		args = append(args, "-overlay="+overlay)
	}
	args = append(args, "./"+folder)
	rapid, err := b.usesRapid(ctx, folder)
	if err != nil {
		return 0, "", err
	}
	if rapid {
		args = append(args, "-rapid.nofailfile")
	}
	// The tests' own timeout tells which of them hang; the context ends what outlives it.
	limited, cancel := context.WithTimeout(ctx, patience+5*time.Minute)
	defer cancel()
	out, err := b.command(limited, args...).CombinedOutput()
	if ctx.Err() != nil {
		return 0, "", ctx.Err()
	}
	o, err = judge(string(out), err, limited.Err() != nil)
	return o, string(out), err
}

// command runs the go command with a cache and a folder for what it builds that are
// removed with the bench, whatever ends it.
func (b *bench) command(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir, cmd.WaitDelay = b.root, time.Minute
	cmd.Env = append(os.Environ(), "GOCACHE="+b.cache.dir, "GOTMPDIR="+filepath.Join(b.dir, "tmp"))
	return cmd
}

// usesRapid reports whether the tests of a package are linked with rapid. Such tests write
// a file beside themselves when they fail, and only they know the flag that forbids it.
func (b *bench) usesRapid(ctx context.Context, folder string) (bool, error) {
	if uses, known := b.rapid[folder]; known {
		return uses, nil
	}
	out, err := b.command(ctx, "list", "-deps", "-test", "./"+folder).Output()
	if err != nil {
		return false, fmt.Errorf("list what the tests of %s need: %w", folder, err)
	}
	b.rapid[folder] = slices.Contains(strings.Fields(string(out)), "pgregory.net/rapid")
	return b.rapid[folder], nil
}

// measure runs the tests of a target as they are. They must pass, and what they take
// bounds what they may take with a fault.
func (b *bench) measure(ctx context.Context, t target) error {
	b.patience = 30 * time.Second
	for _, own := range t.own {
		if err := b.build(ctx, own); err != nil {
			return err
		}
		began := time.Now()
		if err := b.passes(ctx, own, 10*time.Minute); err != nil {
			return err
		}
		b.patience = max(b.patience, 30*time.Second+3*time.Since(began).Round(time.Second))
	}
	return nil
}

// confirm runs the tests that have noticed a fault once more without one. If they fail
// now, as when a server has gone, nobody knows what they failed for before.
func (b *bench) confirm(ctx context.Context) error {
	for _, folder := range slices.Sorted(maps.Keys(b.witnesses)) {
		if err := b.passes(ctx, folder, b.witnesses[folder]); err != nil {
			return fmt.Errorf("what was noticed does not count: %w", err)
		}
	}
	clear(b.witnesses)
	return nil
}

// passes is an error if the tests of a package do not pass without a fault.
func (b *bench) passes(ctx context.Context, folder string, patience time.Duration) error {
	o, said, err := b.run(ctx, "", folder, patience)
	if err == nil && o != unnoticed {
		err = fmt.Errorf("the tests of %s fail without any fault: %s\n%s", folder, firstFailure(said), said)
	}
	return err
}
