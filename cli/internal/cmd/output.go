package cmd

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode"

	"google.golang.org/protobuf/types/known/timestamppb"
)

const (
	// emptyTable is printed instead of a table without rows.
	emptyTable = "Nothing found."
	shownOnce  = "The secret is shown only once."
)

// show prints value as JSON with -o json, and lines otherwise.
func (a *app) show(value any, lines ...string) error {
	if a.output == "json" {
		return a.showJSON(value)
	}
	if len(lines) == 0 {
		lines = []string{emptyTable}
	}
	for _, line := range lines {
		if _, err := fmt.Fprintln(a.streams.Out, line); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) showJSON(value any) error {
	e := json.NewEncoder(a.streams.Out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(value)
}

// jsonTime formats a time as the public API does, in UTC with milliseconds. It returns nil if t is nil.
func jsonTime(t *timestamppb.Timestamp) *string {
	if t == nil {
		return nil
	}
	s := t.AsTime().UTC().Format("2006-01-02T15:04:05.000Z")
	return &s
}

// oneLine makes untrusted text safe for a table cell. Control characters could change what the terminal
// displays.
func oneLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
}

// when formats a time for text output.
func when(t *timestamppb.Timestamp) string {
	if t == nil {
		return "never"
	}
	return t.AsTime().UTC().Format(time.RFC3339)
}
