package capacity

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// FillPage puts tables into a page. A table stands between two comments that name it:
//
//	<!-- capacity: steps -->
//	<!-- end -->
//
// Each table must have one place, and each place a table.
func FillPage(page string, tables map[string]string) (string, error) {
	const begin, close, end = "<!-- capacity: ", " -->\n", "<!-- end -->"
	var b strings.Builder
	placed := map[string]bool{}
	for {
		before, rest, found := strings.Cut(page, begin)
		b.WriteString(before)
		if !found {
			break
		}
		name, rest, named := strings.Cut(rest, close)
		_, rest, ended := strings.Cut(rest, end)
		text, known := tables[name]
		if !named || !ended || !known || placed[name] {
			return "", fmt.Errorf("the place %q has no end, no table, or a table that has another place", name)
		}
		placed[name] = true
		b.WriteString(begin + name + close + "\n" + text + "\n" + end)
		page = rest
	}
	for _, name := range slices.Sorted(maps.Keys(tables)) {
		if !placed[name] {
			return "", fmt.Errorf("the table %q has no place", name)
		}
	}
	return b.String(), nil
}
