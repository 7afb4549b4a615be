package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
)

// settings are the flags.
type settings struct {
	root     string
	packages []string
	sample   int
	seed     uint64
	least    float64
	list     bool
	own      bool
	cache    string
}

func main() {
	var s settings
	var packages string
	flag.StringVar(&s.root, "root", ".", "root of the repository")
	flag.StringVar(&packages, "packages", "", "parts of the folders of the packages to plant faults in; all of packages.txt if empty")
	flag.IntVar(&s.sample, "sample", 5, "how many faults to plant in each package; 0 for all")
	flag.Uint64Var(&s.seed, "seed", 1, "what chooses the sample")
	flag.Float64Var(&s.least, "least", 95, "percentage of faults that must be noticed")
	flag.BoolVar(&s.list, "list", false, "list the faults of the sample and plant none")
	flag.BoolVar(&s.own, "own", false, "run the packages' own tests only, not those of their services")
	flag.StringVar(&s.cache, "cache", "", "folder for what the go command builds, kept for another run and used by nothing else; one that is removed at the end if empty")
	flag.Parse()
	s.packages = strings.FieldsFunc(packages, func(r rune) bool { return r == ' ' || r == ',' })
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	enough, err := run(ctx, s)
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(2)
	case !enough:
		os.Exit(1)
	}
}

// plan is a target with its faults, in the order in which they are planted.
type plan struct {
	target
	mutants []mutant
}

// plans reads what to do. The order of a package's faults depends on the seed and the
// package alone.
func plans(s settings) ([]plan, error) {
	here := filepath.Join(s.root, "tools", "mutate")
	targets, err := readTargets(s.root, filepath.Join(here, "packages.txt"))
	if err != nil {
		return nil, err
	}
	some, err := chosen(targets, s.packages)
	if err != nil {
		return nil, err
	}
	entries, err := readEquivalents(filepath.Join(here, "equivalents.txt"))
	if err != nil {
		return nil, err
	}
	var all []mutant
	for _, t := range targets {
		found, err := mutantsOf(s.root, t.folder)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	if all, err = without(all, entries); err != nil {
		return nil, err
	}
	var out []plan
	for _, t := range some {
		p := plan{target: t}
		for _, m := range all {
			if filepath.Dir(m.file) == t.folder {
				p.mutants = append(p.mutants, m)
			}
		}
		shuffle(p.mutants, s.seed, t.folder)
		out = append(out, p)
	}
	return out, nil
}

func shuffle(mutants []mutant, seed uint64, folder string) {
	h := fnv.New64a()
	h.Write([]byte(folder))
	r := rand.New(rand.NewPCG(seed, h.Sum64()))
	r.Shuffle(len(mutants), func(i, j int) { mutants[i], mutants[j] = mutants[j], mutants[i] })
}

// run plants the faults and reports whether enough of them were noticed.
func run(ctx context.Context, s settings) (enough bool, err error) {
	if s.root, err = filepath.Abs(s.root); err != nil {
		return false, err
	}
	todo, err := plans(s)
	if err != nil {
		return false, err
	}
	if s.list {
		for _, p := range todo {
			for i, m := range p.mutants {
				if s.sample == 0 || i < s.sample {
					fmt.Println(m)
				}
			}
			fmt.Printf("%s: %d faults can be planted\n", p.folder, len(p.mutants))
		}
		return true, nil
	}
	dir, err := os.MkdirTemp(os.Getenv("GOTMPDIR"), "vitae-mutate-")
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	b, err := newBench(s.root, dir, s.cache)
	if err != nil {
		return false, err
	}
	var total tally
	fmt.Printf("seed %d, %s of each package\n", s.seed, sampleText(s.sample))
	for _, p := range todo {
		one, err := b.runPackage(ctx, s, p)
		if err != nil {
			return false, err
		}
		fmt.Println(one.line(p.folder))
		total.add(one)
	}
	total.print(s.least)
	return total.percentage() >= s.least, nil
}

func sampleText(n int) string {
	if n == 0 {
		return "all faults"
	}
	return fmt.Sprintf("a sample of %d faults", n)
}

// runPackage plants the faults of one package, until enough of them count.
func (b *bench) runPackage(ctx context.Context, s settings, p plan) (tally, error) {
	var t tally
	if err := b.measure(ctx, p.target); err != nil {
		return t, err
	}
	for _, m := range p.mutants {
		if s.sample > 0 && t.planted() >= s.sample {
			break
		}
		o, test, err := b.try(ctx, p.target, m, !s.own)
		if err != nil {
			return t, fmt.Errorf("with %s: %w", m, err)
		}
		if err := b.cache.forget(); err != nil {
			return t, err
		}
		t.count(o, m)
		if o != invalid {
			fmt.Printf("%-9s  %s", o, m)
			if test != "" {
				fmt.Printf("  (%s)", test)
			}
			fmt.Println()
		}
	}
	return t, b.confirm(ctx)
}
