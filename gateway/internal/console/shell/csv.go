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
	// FileRows is the maximum number of rows in a CSV file of log entries
	// (behaviour: console#files).
	FileRows = 10_000
	// FilePage is the number of rows read per call.
	FilePage = 1000
)

// byteOrderMark makes Excel read a file as UTF-8.
const byteOrderMark = "\ufeff"

// formula contains the characters with which spreadsheet formulas can start, including their
// full-width forms.
const formula = "=+-@＝＋－＠\t\r\n"

// SendCSV writes a CSV file (RFC 4180) as the response. It puts an apostrophe before cells that a
// spreadsheet would evaluate as formulas. It ignores write errors, because they mean that the
// client has disconnected.
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
