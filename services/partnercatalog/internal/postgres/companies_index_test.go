package postgres_test

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// companyLiterals replaces the parameters of the queries, so that EXPLAIN can run on the statements
// in the file.
var companyLiterals = []struct {
	pattern *regexp.Regexp
	literal string
}{
	{regexp.MustCompile(`sqlc\.narg\('\w+'\)`), "NULL"},
	{regexp.MustCompile(`sqlc\.embed\((\w+)\)`), "$1.*"},
	{regexp.MustCompile(`@app_id`), "'app_1'"},
	{regexp.MustCompile(`@(size|step)\b`), "25"},
	{regexp.MustCompile(`@skip`), "975"},
	{regexp.MustCompile(`@\w+_socials::(\w+)`), "'{}'::$1"},
	{regexp.MustCompile(`@(created|updated)_at`), "now()"},
	{regexp.MustCompile(`@no_\w+`), "false"},
	{regexp.MustCompile(`@\w+`), "'x'"},
}

func companyPlans(t *testing.T, pool *pgxpool.Pool, settings string) map[string]string {
	t.Helper()
	conn, err := pool.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Release()
	if _, err := conn.Exec(t.Context(), settings); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile("queries/companies.sql")
	if err != nil {
		t.Fatal(err)
	}
	plans := map[string]string{}
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
		lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		plans[name] = strings.Join(lines, "\n")
	}
	return plans
}

// Sequential scans are made expensive, as they would be on large tables.
func TestCompanyQueriesUseIndexes(t *testing.T) {
	t.Parallel()
	_, pool := open(t)
	for name, plan := range companyPlans(t, pool, "SET enable_seqscan = off") {
		if strings.Contains(plan, "Seq Scan") || !strings.Contains(plan, "Index") && !strings.HasPrefix(name, "Create") {
			t.Errorf("%s reads a table without an index:\n%s", name, plan)
		}
	}
}

// If a table contains the companies of only one app, the planner tends to sort or join all of them.
func TestCompanyPagesFollowIndex(t *testing.T) {
	t.Parallel()
	s, pool := open(t)
	const many = 20_000
	for _, sql := range []string{
		fmt.Sprintf(`INSERT INTO companies SELECT 'com_' || n, 'app_1', NULL, 'Name', 'slug-' || n, '', repeat('d', 200),
			'', '', '', '', '', '', '', '{}', false, false, now() + n * interval '1 s', now() FROM generate_series(1, %d) n`, many),
		fmt.Sprintf("INSERT INTO company_totals VALUES ('app_1', %d)", many),
		"ANALYZE companies",
	} {
		if _, err := pool.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	plans := companyPlans(t, pool, "SET max_parallel_workers_per_gather = 0")
	for _, name := range []string{"ListCompanies", "ListCompaniesFarDown"} {
		plan := plans[name]
		if !strings.Contains(plan, "using companies_by_app") || strings.Contains(plan, "Seq Scan on companies") || strings.Contains(plan, "Hash") {
			t.Errorf("%s does not follow the index companies_by_app:\n%s", name, plan)
		}
	}
	for _, tc := range []struct{ skip, size int64 }{{0, 25}, {975, 50}, {1000, 25}, {10_000, 25}, {many - 10, 25}, {many, 25}, {1 << 40, 100}} {
		list, total, err := s.Companies(t.Context(), "app_1", tc.skip, tc.size)
		if err != nil || total != many || int64(len(list)) != max(0, min(tc.size, many-tc.skip)) {
			t.Fatalf("size %d at offset %d: %d companies of %d, %v", tc.size, tc.skip, len(list), total, err)
		}
		for i, c := range list {
			if want := fmt.Sprint("com_", many-tc.skip-int64(i)); c.ID != want {
				t.Fatalf("size %d at offset %d: item %d is %s, want %s", tc.size, tc.skip, i, c.ID, want)
			}
		}
	}
}
