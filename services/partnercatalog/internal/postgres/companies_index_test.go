package postgres_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// companyLiterals stand for the parameters of the queries, so that they can be
// explained as they are written.
var companyLiterals = []struct {
	pattern *regexp.Regexp
	literal string
}{
	{regexp.MustCompile(`sqlc\.narg\('\w+'\)`), "NULL"},
	{regexp.MustCompile(`sqlc\.embed\((\w+)\)`), "$1.*"},
	{regexp.MustCompile(`@(skip|size|step)\b`), "1"},
	{regexp.MustCompile(`@\w+_socials::(\w+)`), "'{}'::$1"},
	{regexp.MustCompile(`@(created|updated)_at`), "now()"},
	{regexp.MustCompile(`@\w+`), "'x'"},
}

// TestEveryQueryOfCompaniesUsesItsIndexes explains each query with sequential
// scans made dear, as they are once the tables are large.
func TestEveryQueryOfCompaniesUsesItsIndexes(t *testing.T) {
	_, pool := open(t)
	conn, err := pool.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Release()
	if _, err := conn.Exec(t.Context(), "SET enable_seqscan = off"); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile("queries/companies.sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, statement := range strings.Split(string(raw), "-- name: ")[1:] {
		name, sql, _ := strings.Cut(statement, " ")
		_, sql, _ = strings.Cut(sql, "\n")
		for _, l := range companyLiterals {
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
		if strings.Contains(text, "Seq Scan") || strings.Contains(text, "Sort Key") && name != "ListCompanies" ||
			!strings.Contains(text, "Index") && !strings.HasPrefix(name, "Create") {
			t.Errorf("%s reads a table without an index:\n%s", name, text)
		}
		if name == "ListCompanies" && !strings.Contains(text, "Index Only Scan using companies_by_app") {
			t.Errorf("rows before a page are read:\n%s", text)
		}
	}
}
