package cmd

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode"

	"google.golang.org/protobuf/types/known/timestamppb"
)

// nothing is printed in place of a table without rows.
const nothing = "Nothing found."

// show prints value as JSON with -o json, and otherwise the lines.
func (a *app) show(value any, lines ...string) error {
	if a.output == "json" {
		return a.showJSON(value)
	}
	if len(lines) == 0 {
		lines = []string{nothing}
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

// moment gives a time for JSON, in UTC with milliseconds as in the public API, nil for
// no time.
func moment(t *timestamppb.Timestamp) *string {
	if t == nil {
		return nil
	}
	s := t.AsTime().UTC().Format("2006-01-02T15:04:05.000Z")
	return &s
}

// oneLine gives a text that others have written for a column. Control characters could
// write over what the terminal shows.
func oneLine(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
}

// when gives a time for a person to read.
func when(t *timestamppb.Timestamp) string {
	if t == nil {
		return "never"
	}
	return t.AsTime().UTC().Format(time.RFC3339)
}
