package cmd

import (
	"strings"
	"unicode/utf8"
)

// table formats rows as columns below their headings. It returns nil if there are no rows.
func table(headings []string, rows [][]string) []string {
	if len(rows) == 0 {
		return nil
	}
	all := append([][]string{headings}, rows...)
	widths := make([]int, len(headings))
	for _, row := range all {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	lines := make([]string, len(all))
	for i, row := range all {
		var line strings.Builder
		for j, cell := range row {
			line.WriteString(cell + strings.Repeat(" ", widths[j]-utf8.RuneCountInString(cell)+2))
		}
		lines[i] = strings.TrimRight(line.String(), " ")
	}
	return lines
}
