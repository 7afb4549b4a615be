package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// target is a package in which faults are planted.
type target struct {
	// folder is its path from the root of the repository.
	folder string
	// own are the packages whose tests guard it: its own, or those that say so in
	// packages.txt.
	own []string
	// service is the package with the tests of the whole service; empty if there is none.
	service string
}

// readTargets reads a file with a line for each package: its folder, the folders of the
// tests that guard it (a dot for its own) divided by commas, and the folder of the tests
// of its service (a dash for none).
func readTargets(root, name string) ([]target, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var all []target
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		line, _, _ := strings.Cut(lines.Text(), "#")
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		if len(words) != 3 {
			return nil, fmt.Errorf("%s:%d: a line has a package, its tests and the tests of its service", name, n)
		}
		t := target{folder: words[0]}
		for _, own := range strings.Split(words[1], ",") {
			if own == "." {
				own = t.folder
			}
			t.own = append(t.own, own)
		}
		if words[2] != "-" {
			t.service = words[2]
		}
		for _, folder := range append([]string{t.folder, t.service}, t.own...) {
			if _, err := os.Stat(filepath.Join(root, folder)); err != nil {
				return nil, fmt.Errorf("%s:%d: %w", name, n, err)
			}
		}
		all = append(all, t)
	}
	return all, lines.Err()
}

// chosen gives the targets whose folders contain one of the words; all if there are none.
// A word that chooses nothing is an error.
func chosen(all []target, words []string) ([]target, error) {
	if len(words) == 0 {
		return all, nil
	}
	var some []target
	matched := map[string]bool{}
	for _, t := range all {
		take := false
		for _, w := range words {
			if strings.Contains(t.folder, w) {
				matched[w], take = true, true
			}
		}
		if take {
			some = append(some, t)
		}
	}
	for _, w := range words {
		if !matched[w] {
			return nil, fmt.Errorf("no package of packages.txt has %q in its folder", w)
		}
	}
	return some, nil
}
