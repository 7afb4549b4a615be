package shell

import (
	"encoding/csv"
	"io"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"
)

const (
	// FileRows is the maximum number of rows in the file of a log (behaviour: console#files).
	FileRows = 10_000
	// FilePage is how many of them are read at a time.
	FilePage = 1000
)

// byteOrderMark marks a file as UTF-8 for Excel.
const byteOrderMark = "\ufeff"

// formula has the characters, also in full width, that start a formula in spreadsheets.
const formula = "=+-@＝＋－＠\t\r\n"

// SendCSV answers with a CSV file (RFC 4180). A cell that spreadsheets would take for a formula
// gets an apostrophe. Errors of a client that has disconnected are ignored.
func SendCSV(w http.ResponseWriter, name string, rows [][]string) error {
	h := w.Header()
	h.Set("Content-Type", "text/csv; charset=utf-8")
	h.Set("Content-Disposition", `attachment; filename="`+name+`"`)
	if _, err := io.WriteString(w, byteOrderMark); err != nil {
		return nil //nolint:nilerr // see above
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
			return nil //nolint:nilerr // see above
		}
	}
	out.Flush()
	return nil
}
