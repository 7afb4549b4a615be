package main

import (
	"bufio"
	"fmt"
	"os"
	"strings"
)

// equivalent is a fault that changes nothing that anybody could see.
type equivalent struct {
	file, function, before, after, why string
	line                               int
}

func (e equivalent) matches(m mutant) bool {
	return e.file == m.file && e.function == m.function && e.before == m.before && e.after == m.after
}

// readEquivalents reads a file of entries like
//
//	services/auth/internal/pkce/pkce.go ValidVerifier
//	- len(s) >= 43
//	+ len(s) > 42
//	Both say the same of a whole number.
//
// with an empty line between two entries. An empty fault ("+" alone) is a piece that was
// left out.
func readEquivalents(name string) ([]equivalent, error) {
	raw, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var all []equivalent
	var block []string
	lines := bufio.NewScanner(strings.NewReader(string(raw) + "\n\n"))
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if strings.HasPrefix(line, "#") {
			continue
		}
		if line != "" {
			block = append(block, line)
			continue
		}
		if len(block) == 0 {
			continue
		}
		e, err := parseEquivalent(block)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, n-len(block), err)
		}
		e.line = n - len(block)
		all, block = append(all, e), nil
	}
	return all, lines.Err()
}

func parseEquivalent(block []string) (equivalent, error) {
	if len(block) < 4 || !strings.HasPrefix(block[1], "- ") || !strings.HasPrefix(block[2], "+") {
		return equivalent{}, fmt.Errorf("an entry has a file with a function, a line with -, one with +, and a reason")
	}
	file, function, _ := strings.Cut(block[0], " ")
	return equivalent{
		file: file, function: function,
		before: block[1][2:], after: strings.TrimSpace(block[2][1:]), why: strings.Join(block[3:], " "),
	}, nil
}

// without gives the mutants that no entry lists, and an error that names every entry that
// lists none: the code has changed since.
func without(mutants []mutant, entries []equivalent) ([]mutant, error) {
	used := make([]bool, len(entries))
	var left []mutant
	for _, m := range mutants {
		listed := false
		for i, e := range entries {
			if e.matches(m) {
				used[i], listed = true, true
			}
		}
		if !listed {
			left = append(left, m)
		}
	}
	var stale []string
	for i, e := range entries {
		if !used[i] {
			stale = append(stale, fmt.Sprintf("line %d (%s %s)", e.line, e.file, e.function))
		}
	}
	if stale != nil {
		return nil, fmt.Errorf("equivalents.txt lists faults that cannot be planted any more: %s", strings.Join(stale, ", "))
	}
	return left, nil
}
