package postgres

import (
	"strings"

	"github.com/exaring/otelpgx"
	"github.com/jackc/pgx/v5"

	"vitae.internal/pkg/telemetry"
)

// traces returns a tracer that creates a span for each statement of a traced call, or nil if
// tracing is disabled. Spans contain statements with placeholders but never values, which may be
// personal data.
func traces() pgx.QueryTracer {
	if !telemetry.Tracing() {
		return nil
	}
	return otelpgx.NewTracer(otelpgx.WithSpanNameFunc(statementName))
}

// statementName returns the name of a statement in its .sql file, or its first word if it has no
// name.
func statementName(sql string) string {
	if named, is := strings.CutPrefix(sql, "-- name: "); is {
		name, _, _ := strings.Cut(named, " ")
		return name
	}
	word, _, _ := strings.Cut(strings.TrimSpace(sql), " ")
	return word
}
