package console

import (
	"encoding/csv"
	"io"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"
)

// fileRows is how many rows the file of a log has at most, filePage how many of them are
// asked for at a time (behaviour: console#files).
const (
	fileRows = 10_000
	filePage = 1000
)

// byteOrderMark tells Excel that a file is UTF-8. Without it Arabic is rubbish there.
const byteOrderMark = "\ufeff"

// formula are the signs with which a cell begins that a spreadsheet takes for a formula, in some
// locales also in their full-width forms.
const formula = "=+-@＝＋－＠\t\r\n"

// sendCSV answers with a file. A cell that a spreadsheet would take for a formula begins
// with an apostrophe.
func sendCSV(w http.ResponseWriter, name string, rows [][]string) error {
	h := w.Header()
	h.Set("Content-Type", "text/csv; charset=utf-8")
	h.Set("Content-Disposition", `attachment; filename="`+name+`"`)
	if _, err := io.WriteString(w, byteOrderMark); err != nil {
		return nil //nolint:nilerr // as below
	}
	out := csv.NewWriter(w)
	for _, row := range rows {
		safe := slices.Clone(row)
		for i, cell := range safe {
			if first, _ := utf8.DecodeRuneInString(cell); strings.ContainsRune(formula, first) {
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
