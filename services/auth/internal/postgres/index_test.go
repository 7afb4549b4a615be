package postgres_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"vitae.internal/pkg/testkit"
	"vitae.internal/services/auth/internal/postgres"
)

func TestMain(m *testing.M) { testkit.Main(m) }

var (
	// written finds a statement with its comment in queries/*.sql.
	written = regexp.MustCompile(`-- name: (\w+) :\w+\n((?:--[^\n]*\n)*)`)
	// claimed finds the names of indexes in a comment.
	claimed = regexp.MustCompile(`Index(?:es)?:([^.]*)\.`)
	index   = regexp.MustCompile(`\w+_\w+`)
	// inserts finds the statements that look nothing up.
	inserts = regexp.MustCompile(`^(WITH \w+ AS \(\s*)?INSERT`)
	// generated finds the same statement as it is sent.
	generated = regexp.MustCompile("(?s)const \\w+ = `-- name: (\\w+) :\\w+\n(.*?)`")
)

// Postgres plans every statement that reads over tables of production's shape. The plan
// must use the indexes that the statement's comment names.
func TestEveryStatementIsServedByTheIndexesItNames(t *testing.T) {
	conn, err := pgx.Connect(t.Context(), testkit.Database(t, "auth", postgres.Migrate))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	run := func(sql string) {
		t.Helper()
		if _, err := conn.Exec(t.Context(), sql, pgx.QueryExecModeSimpleProtocol); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
	many, err := os.ReadFile("testdata/many.sql")
	if err != nil {
		t.Fatal(err)
	}
	run(string(many))
	run("SET plan_cache_mode = force_generic_plan")
	run("SET enable_partition_pruning = off") // the parameters are NULL, for which no partition is left
	statements := find(t, "sqlc/*.sql.go", generated)
	for name, comment := range find(t, "queries/*.sql", written) {
		sql := statements[name]
		run(fmt.Sprintf("PREPARE %q AS %s", name, sql))
		plan := explain(t, conn, name)
		if strings.Contains(plan, "Seq Scan") {
			t.Errorf("%s reads a whole table:\n%s", name, plan)
		}
		names := claimed.FindStringSubmatch(strings.ReplaceAll(comment, "\n-- ", " "))
		if names == nil {
			if !inserts.MatchString(sql) {
				t.Errorf("%s names no index", name)
			}
			continue
		}
		for _, wanted := range index.FindAllString(names[1], -1) {
			if !regexp.MustCompile(`\b` + wanted + `\b`).MatchString(plan) {
				t.Errorf("%s does not use %s:\n%s", name, wanted, plan)
			}
		}
	}
	if len(statements) < 50 {
		t.Errorf("only %d statements", len(statements))
	}
}

func find(t *testing.T, glob string, pattern *regexp.Regexp) map[string]string {
	t.Helper()
	files, err := filepath.Glob(glob)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range pattern.FindAllStringSubmatch(string(source), -1) {
			found[m[1]] = m[2]
		}
	}
	return found
}

func explain(t *testing.T, conn *pgx.Conn, name string) string {
	t.Helper()
	var parameters int
	err := conn.QueryRow(t.Context(), "SELECT cardinality(parameter_types) FROM pg_prepared_statements WHERE name = $1", name).Scan(&parameters)
	if err != nil {
		t.Fatal(err)
	}
	call := fmt.Sprintf("EXPLAIN EXECUTE %q", name)
	if parameters > 0 {
		call += "(" + strings.TrimSuffix(strings.Repeat("NULL,", parameters), ",") + ")"
	}
	rows, err := conn.Query(t.Context(), call, pgx.QueryExecModeSimpleProtocol)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return parents(t, conn).Replace(strings.Join(lines, "\n"))
}

// parents gives an index of a partition the name of the index that it is part of.
func parents(t *testing.T, conn *pgx.Conn) *strings.Replacer {
	t.Helper()
	rows, err := conn.Query(t.Context(), `SELECT unnest(ARRAY[c.relname, p.relname])::text FROM pg_inherits i
		JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent WHERE c.relkind = 'i'`)
	if err != nil {
		t.Fatal(err)
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return strings.NewReplacer(names...)
}
