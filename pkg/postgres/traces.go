package postgres

import (
	"strings"

	"github.com/exaring/otelpgx"
	"github.com/jackc/pgx/v5"

	"vitae.internal/pkg/telemetry"
)

// traces creates a span for each statement of a traced call, or returns nil if there is no tracing.
// Spans contain statements with placeholders, but never values, which may be personal data.
func traces() pgx.QueryTracer {
	if !telemetry.Tracing() {
		return nil
	}
	return otelpgx.NewTracer(otelpgx.WithSpanNameFunc(statementName))
}

// statementName returns the name of a statement in its .sql file, or else its first word.
func statementName(sql string) string {
	if named, is := strings.CutPrefix(sql, "-- name: "); is {
		name, _, _ := strings.Cut(named, " ")
		return name
	}
	word, _, _ := strings.Cut(strings.TrimSpace(sql), " ")
	return word
}
