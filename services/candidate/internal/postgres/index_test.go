package postgres_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// literals replace the parameters in a query for EXPLAIN.
var literals = []struct {
	pattern *regexp.Regexp
	literal string
}{
	{regexp.MustCompile(`sqlc\.narg\('\w+'\)`), "NULL"},
	{regexp.MustCompile(`sqlc\.embed\((\w+)\)`), "$1.*"},
	{regexp.MustCompile(`@(max_cvs|max_bytes|skip|skipped|size|reach|job|tied|at_most|seconds|done|steps|attempts|version|new_version|revision)\b`), "1"},
	{regexp.MustCompile(`@(content|found|statuses|deltas|job_ids|ids|counts)\b`), "'{}'"},
	{regexp.MustCompile(`@(\w+_at|\w+_after|(\w+_)?before|at|hour|newest|since|until)\b`), "now()"},
	{regexp.MustCompile(`@(patterns|wholes)\b`), "'{x,x,x}'"},
	{regexp.MustCompile(`@announced\b`), "true"},
	{regexp.MustCompile(`@\w+`), "'x'"},
}

// TestEveryQueryUsesItsIndexes runs EXPLAIN on each query with sequential scans made expensive, as
// they would be on large tables.
func TestEveryQueryUsesItsIndexes(t *testing.T) {
	t.Parallel()
	_, pool := open(t)
	conn, err := pool.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Release()
	if _, err := conn.Exec(t.Context(), "SET enable_seqscan = off"); err != nil {
		t.Fatal(err)
	}
	for name, sql := range written(t) {
		if name == "CreateProfile" || name == "CreateApplication" || name == "SetSorting" || name == "AddAuditEvent" {
			continue // it reads nothing
		}
		if name == "MakeAuditEventsNobodys" {
			continue // this query reads the whole outbox, which is usually empty
		}
		for _, l := range literals {
			sql = l.pattern.ReplaceAllString(sql, l.literal)
		}
		rows, err := conn.Query(t.Context(), "EXPLAIN "+sql)
		if err != nil {
			t.Fatal(err)
		}
		plan, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		text := strings.Join(plan, "\n")
		if strings.Contains(text, "Seq Scan") || !strings.Contains(text, "Index") {
			t.Errorf("%s reads a table without an index:\n%s", name, text)
		}
	}
}

// written returns the statements in the queries directory by name.
func written(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob("queries/*.sql")
	if err != nil || len(files) == 0 {
		t.Fatalf("queries: %v, %v", files, err)
	}
	found := map[string]string{}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, statement := range strings.Split(string(raw), "-- name: ")[1:] {
			name, sql, _ := strings.Cut(statement, " ")
			_, sql, _ = strings.Cut(sql, "\n")
			found[name] = sql
		}
	}
	return found
}
