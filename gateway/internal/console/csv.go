package console

import (
	"encoding/csv"
	"net/http"
	"slices"
)

// fileRows is how many rows the file of a log has at most, filePage how many of them are
// asked for at a time (behaviour: console#files).
const (
	fileRows = 10_000
	filePage = 1000
)

// sendCSV answers with a file. A cell that a spreadsheet would take for a formula begins
// with an apostrophe.
func sendCSV(w http.ResponseWriter, name string, rows [][]string) error {
	h := w.Header()
	h.Set("Content-Type", "text/csv; charset=utf-8")
	h.Set("Content-Disposition", `attachment; filename="`+name+`"`)
	out := csv.NewWriter(w)
	for _, row := range rows {
		safe := slices.Clone(row)
		for i, cell := range safe {
			if cell != "" && (cell[0] == '=' || cell[0] == '+' || cell[0] == '-' || cell[0] == '@' || cell[0] == '\t' || cell[0] == '\r') {
				safe[i] = "'" + cell
			}
		}
		if err := out.Write(safe); err != nil {
			return nil //nolint:nilerr // the client is gone, and half a file cannot be turned into a page
		}
	}
	out.Flush()
	return nil
}
