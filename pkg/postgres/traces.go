package postgres

import (
	"strings"

	"github.com/exaring/otelpgx"
	"github.com/jackc/pgx/v5"

	"vitae.internal/pkg/telemetry"
)

// traces makes a span for each statement of a call that is traced; nil where spans go
// nowhere. The statement is told with its placeholders: a span never has a value, which
// may be somebody's data.
func traces() pgx.QueryTracer {
	if !telemetry.Tracing() {
		return nil
	}
	return otelpgx.NewTracer(otelpgx.WithSpanNameFunc(statementName))
}

// statementName is the name that a statement has in its .sql file, and otherwise its first
// word.
func statementName(sql string) string {
	if named, is := strings.CutPrefix(sql, "-- name: "); is {
		name, _, _ := strings.Cut(named, " ")
		return name
	}
	word, _, _ := strings.Cut(strings.TrimSpace(sql), " ")
	return word
}
