package postgres_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"vitae.internal/pkg/testkit"
	"vitae.internal/services/auth/internal/activity/requestlog"
	"vitae.internal/services/auth/internal/postgres"
)

func TestMain(m *testing.M) { testkit.Main(m) }

var (
	// written matches a statement and its comment in queries/*.sql.
	written = regexp.MustCompile(`-- name: (\w+) :\w+\n((?:--[^\n]*\n)*)`)
	// claimed matches the index names in a comment.
	claimed = regexp.MustCompile(`Index(?:es)?:([^.]*)\.`)
	index   = regexp.MustCompile(`\w+_\w+`)
	// scanned matches the index names in a plan.
	scanned = regexp.MustCompile(`(?:using|Bitmap Index Scan on) (\w+)`)
	// inserts matches statements that only insert.
	inserts = regexp.MustCompile(`^(WITH \w+ AS \(\s*)?INSERT`)
	// generated matches a statement in the code that sqlc generates.
	generated = regexp.MustCompile("(?s)const \\w+ = `-- name: (\\w+) :\\w+\n(.*?)`")
)

// The statements are planned against tables with the sizes expected in production. All checks share the same tables.
func TestStatementsUseTheirNamedIndexes(t *testing.T) {
	t.Parallel()
	pg := testkit.PrivatePostgres(t) // only a superuser may change statistics
	if err := postgres.Migrate(t.Context(), pg.URL("postgres")); err != nil {
		t.Fatal(err)
	}
	p := newPlanner(t, pg.URL("postgres"))
	plans := p.check("queries/*.sql")
	if len(plans) < 50 {
		t.Errorf("only %d statements were checked", len(plans))
	}
	p.grantsLookOnce(plans)
	p.requestLogGrows()
}

// Postgres prepares every part of a statement on each run, even a part that it rarely executes. Therefore, the
// statements that issue tokens read the client secrets only once, and a separate statement records their use.
func (p planner) grantsLookOnce(plans map[string]string) {
	p.Helper()
	for _, name := range []string{"RedeemCode", "RedeemLegacyCode", "RotateRefreshToken"} {
		if n := strings.Count(plans[name], " on client_secrets "); n != 1 {
			p.Errorf("%s has %d parts that concern secrets, want 1:\n%s", name, n, plans[name])
		}
	}
}

// Each filter of the request log must read its own index, in index order. The check is made with the statistics of
// 12 million and of 500 million requests in 30 days.
func (p planner) requestLogGrows() {
	p.Helper()
	parents := parents(p.T, p.conn)
	p.run("SET enable_partition_pruning = on; SET enable_sort = off") // the same settings as in the store
	for _, requests := range []int{12_000_000, 500_000_000} {
		p.pretend("request_log_2%", requests/30)
		for index, f := range map[string]requestlog.Filter{
			"account": {Method: "GET"}, "app": {AppID: "app_1"}, "key": {APIKeyID: "key_1"}, "class": {Status: "4xx"}, "code": {ErrorCode: "CODE_1"}, "resource": {ResourceID: "job_1"},
		} {
			day := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
			sql, args := p.statementOf(requestlog.Query{AccountID: "dev_1", Filter: f, Since: day, After: requestlog.Position{At: day.AddDate(0, 0, 2)}, AtMost: 50})
			lines, err := p.conn.Query(p.Context(), "EXPLAIN "+sql, args...)
			p.must(err)
			plan, err := pgx.CollectRows(lines, pgx.RowTo[string])
			p.must(err)
			text := parents.Replace(strings.Join(plan, "\n"))
			for _, used := range scanned.FindAllStringSubmatch(text, -1) {
				if used[1] != "request_log_"+index {
					p.Errorf("among %d requests, a filter by %s uses %s", requests, index, used[1])
				}
			}
			if !strings.Contains(text, "Index Scan Backward using request_log_") || strings.Contains(text, "Bitmap") || strings.Contains(text, "Seq Scan") {
				p.Errorf("among %d requests, a filter by %s reads more than it must:\n%s", requests, index, text)
			}
		}
	}
}

// statementOf returns the first statement with which the store reads the request log.
func (p planner) statementOf(q requestlog.Query) (string, []any) {
	p.Helper()
	config, err := pgxpool.ParseConfig(p.conn.Config().ConnString())
	p.must(err)
	read := &logReads{}
	config.ConnConfig.Tracer = read
	pool, err := pgxpool.NewWithConfig(p.Context(), config)
	p.must(err)
	defer pool.Close()
	_, err = postgres.New(pool).Usage.Requests(p.Context(), q)
	p.must(err)
	return read.sql, read.args
}

// logReads records the first statement that reads the request log.
type logReads struct {
	sql  string
	args []any
}

func (l *logReads) TraceQueryStart(ctx context.Context, _ *pgx.Conn, q pgx.TraceQueryStartData) context.Context {
	if l.sql == "" && strings.Contains(q.SQL, "request_log") {
		l.sql, l.args = q.SQL, q.Args
	}
	return ctx
}

func (*logReads) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// planner is a database that has many rows in every table.
type planner struct {
	*testing.T
	conn *pgx.Conn
}

func newPlanner(t *testing.T, url string) planner {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	many, err := os.ReadFile("testdata/many.sql")
	if err != nil {
		t.Fatal(err)
	}
	p := planner{t, conn}
	p.run(string(many))
	p.run("SET plan_cache_mode = force_generic_plan")
	p.run("SET enable_partition_pruning = off") // otherwise, NULL parameters would prune every partition
	return p
}

func (p planner) run(sql string, args ...any) {
	p.Helper()
	if _, err := p.conn.Exec(p.Context(), sql, append([]any{pgx.QueryExecModeSimpleProtocol}, args...)...); err != nil {
		p.Fatalf("%s: %v", sql, err)
	}
}

// pretend makes Postgres plan statements as if each table had the given number of rows. Postgres estimates that
// number from the file size and the number of rows per block. The statistics of columns whose values are mostly
// distinct are scaled too.
func (p planner) pretend(tables string, rows int) {
	p.Helper()
	p.run(`UPDATE pg_statistic s SET stadistinct = s.stadistinct * $2 / c.reltuples
		FROM pg_class c WHERE c.oid = s.starelid AND c.relname LIKE $1 AND c.relkind = 'r' AND c.reltuples > 0 AND s.stadistinct > c.reltuples / 10`, tables, rows)
	p.run("UPDATE pg_class SET reltuples = $2 WHERE relname LIKE $1 AND relkind = 'r' AND reltuples > 0", tables, rows)
	filled, err := p.conn.Query(p.Context(), "SELECT relname FROM pg_class WHERE relname LIKE $1 AND relkind = 'r' AND reltuples > 0", tables)
	p.must(err)
	names, err := pgx.CollectRows(filled, pgx.RowTo[string])
	p.must(err)
	for _, name := range names {
		var plans []struct {
			Plan struct {
				Rows int `json:"Plan Rows"`
			}
		}
		p.must(p.conn.QueryRow(p.Context(), "EXPLAIN (FORMAT json) SELECT FROM "+name).Scan(&plans))
		if plans[0].Plan.Rows < rows*9/10 {
			p.Fatalf("%s is taken for %d rows, want %d", name, plans[0].Plan.Rows, rows)
		}
	}
	if len(names) == 0 {
		p.Fatalf("no table %s has rows", tables)
	}
}

func (p planner) must(err error) {
	p.Helper()
	if err != nil {
		p.Fatal(err)
	}
}

// check plans the statements in the files that match glob, and returns the plans by statement name.
func (p planner) check(glob string) map[string]string {
	p.Helper()
	plans := map[string]string{}
	generated := find(p.T, "sqlc/*.sql.go", generated)
	parents := parents(p.T, p.conn)
	for name, comment := range find(p.T, glob, written) {
		sql := generated[name]
		p.run(fmt.Sprintf("PREPARE %q AS %s", name, sql))
		plan := parents.Replace(explain(p.T, p.conn, name))
		plans[name] = plan
		p.run(fmt.Sprintf("DEALLOCATE %q", name))
		if strings.Contains(plan, "Seq Scan") {
			p.Errorf("%s reads a whole table:\n%s", name, plan)
		}
		names := claimed.FindStringSubmatch(strings.ReplaceAll(comment, "\n-- ", " "))
		if names == nil {
			if !inserts.MatchString(sql) {
				p.Errorf("%s names no index", name)
			}
			continue
		}
		for _, wanted := range index.FindAllString(names[1], -1) {
			if !regexp.MustCompile(`\b` + wanted + `\b`).MatchString(plan) {
				p.Errorf("%s does not use %s:\n%s", name, wanted, plan)
			}
		}
	}
	return plans
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
	return strings.Join(lines, "\n")
}

// parents returns a replacer that replaces the name of a partition's index with the name of the index to which it
// belongs.
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
