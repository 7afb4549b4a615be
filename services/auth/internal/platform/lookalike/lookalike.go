// Package lookalike finds names that people could mistake for a given name
// (behaviour: apps#reserved-names).
//
// It compares skeletons (UTS #39 §4), which are equal for names that look alike, ignoring
// case, spaces and punctuation.
package lookalike

import (
	"bufio"
	"bytes"
	"compress/gzip"
	_ "embed" // the table
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"vitae.internal/pkg/fault"
)

//go:embed confusables.txt.gz
var table []byte

// Names is a set of names.
type Names map[string]struct{}

// New returns the set of the given names.
func New(names ...string) Names {
	set := Names{}
	for _, name := range names {
		set.add(keysOf(name))
	}
	return set
}

func (n Names) add(keys []string) {
	for _, k := range keys {
		n[k] = struct{}{}
	}
}

func keysOf(name string) (keys []string) {
	for _, form := range []string{name, strings.ToUpper(name), strings.ToLower(name)} {
		if k := key(form); k != "" && !slices.Contains(keys, k) {
			keys = append(keys, k)
		}
	}
	return keys
}

// Has reports whether a name looks like a name in the set. It also returns true for a name that has neither letters
// nor digits, because people cannot distinguish such names.
func (n Names) Has(name string) bool {
	for _, form := range []string{name, strings.ToLower(name)} {
		k := key(form)
		if _, found := n[k]; found || k == "" {
			return true
		}
	}
	return false
}

// Memo creates sets from successive lists that have most names in common. It computes the keys of new names only.
// The zero value is ready to use.
type Memo struct {
	mu   sync.Mutex
	keys map[string][]string
}

// New returns the set of the given names, and discards the keys of all other names.
func (m *Memo) New(names ...string) Names {
	m.mu.Lock()
	defer m.mu.Unlock()
	set, known := Names{}, make(map[string][]string, len(names))
	for _, name := range names {
		keys, found := m.keys[name]
		if !found {
			keys = keysOf(name)
		}
		known[name] = keys
		set.add(keys)
	}
	m.keys = known
	return set
}

// key returns a name's lower-case skeleton, reduced to letters, marks and digits. It omits marks that enclose
// letters or strike through them, because the letters remain readable.
func key(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.In(r, unicode.L, unicode.M, unicode.N) || unicode.Is(unicode.Me, r) || isOverlay(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, skeleton(strings.Map(plain, s)))
}

// isOverlay reports whether a mark is drawn through its letter (UAX #44, combining class 1).
func isOverlay(r rune) bool { return norm.NFD.PropertiesString(string(r)).CCC() == 1 }

// plain removes trademark signs, and replaces letters in circles, squares and flags. Unicode doesn't classify these
// as letters, or they have no compatibility form.
func plain(r rune) rune {
	switch {
	case r == '\u2120' || r == '\u2122' || '\U0001f16a' <= r && r <= '\U0001f16c': // SM, TM, MC, MD, MR
		return -1
	case '\U0001f130' <= r && r <= '\U0001f149':
		return r - '\U0001f130' + 'A'
	case '\U0001f150' <= r && r <= '\U0001f169':
		return r - '\U0001f150' + 'A'
	case '\U0001f170' <= r && r <= '\U0001f189':
		return r - '\U0001f170' + 'A'
	case '\U0001f1e6' <= r && r <= '\U0001f1ff':
		return r - '\U0001f1e6' + 'A'
	}
	return r
}

// skeleton implements internalSkeleton (UTS #39 §4). It also maps compatibility forms, because they look the same
// too.
func skeleton(s string) string {
	confusable := confusables()
	var b strings.Builder
	for _, r := range norm.NFKD.String(s) {
		if fault.IsIgnorable(r) {
			continue
		}
		if to, found := confusable[r]; found {
			b.WriteString(to)
		} else {
			b.WriteRune(r)
		}
	}
	return norm.NFD.String(b.String())
}

var confusables = sync.OnceValue(func() map[rune]string {
	z, err := gzip.NewReader(bytes.NewReader(table))
	if err != nil {
		panic(err) // this cannot happen, because the table is embedded and tested
	}
	all := map[rune]string{}
	for lines := bufio.NewScanner(z); lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		var to strings.Builder
		points := strings.Fields(lines.Text())
		for _, p := range points[1:] {
			to.WriteRune(point(p))
		}
		all[point(points[0])] = to.String()
	}
	return all
})

func point(hex string) rune {
	n, err := strconv.ParseUint(hex, 16, 21)
	if err != nil {
		panic(err)
	}
	return rune(n)
}
