package postgres_test

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"vitae.internal/services/candidate/internal/application"
)

// crowd adds n applications to a job, one for each minute before start, in three stages and with
// consistent counts. Every third person has an Arabic name.
func crowd(t testing.TB, pool *pgxpool.Pool, jobID string, n int) {
	t.Helper()
	var people, lines [][]any
	for i := range n {
		person, email := fmt.Sprintf("%s_p%d", jobID, i), fmt.Sprintf("p%d@example.com", i)
		name := fmt.Sprintf("Sara Müller %d", i)
		if i%3 == 0 {
			name = fmt.Sprintf("فاطمة العلي %d", i)
		}
		at := start.Add(-minutes(i))
		people = append(people, []any{person, email, name})
		lines = append(lines, []any{crowdID(jobID, i), jobID, person, stages[i%len(stages)], at, application.SearchText(name, email, "Main CV")})
	}
	fill(t, pool, people, lines)
	if _, err := pool.Exec(t.Context(), "VACUUM ANALYZE"); err != nil {
		t.Fatal(err)
	}
}

// fill adds people (id, email, name) and their applications (id, job, person, status, time, search
// text). The jobs must not have any applications yet.
func fill(t testing.TB, pool *pgxpool.Pool, people, lines [][]any) {
	t.Helper()
	exec := func(sql string) {
		if _, err := pool.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	exec(`CREATE UNLOGGED TABLE crowd (id text, email text, name text)`)
	copyIn(t, pool, "crowd", []string{"id", "email", "name"}, people)
	exec(`INSERT INTO profiles SELECT id, email, true, name, '', '', '', '', false, false, false, '', '', '', '', '', '', '', '', '', '',
		'{"v":1}', true, 0, now(), now() FROM crowd`)
	exec(`DROP TABLE crowd`)
	exec(`CREATE UNLOGGED TABLE crowd (application_id text, job_id text, person_id text, status text, applied_at timestamptz, search_text text)`)
	copyIn(t, pool, "crowd", []string{"application_id", "job_id", "person_id", "status", "applied_at", "search_text"}, lines)
	exec(`INSERT INTO applications SELECT application_id, job_id, 'com_1', 'app_1', person_id, status, applied_at, applied_at, '',
		'{"v":1}', '{applied}', ARRAY[applied_at], 'master', 'Main CV', applied_at FROM crowd`)
	exec(`INSERT INTO job_numbers (job_id) SELECT DISTINCT job_id FROM crowd`)
	exec(`INSERT INTO application_search SELECT a.number, j.number, c.applied_at, c.status, c.search_text
		FROM crowd c JOIN applications a ON a.id = c.application_id JOIN job_numbers j ON j.job_id = c.job_id`)
	exec(`INSERT INTO application_totals SELECT job_id, '', count(*) FROM crowd GROUP BY 1
		UNION ALL SELECT job_id, status, count(*) FROM crowd GROUP BY 1, 2`)
	exec(`INSERT INTO application_counts SELECT job_id, '', date_trunc('hour', applied_at, 'UTC'), count(*) FROM crowd GROUP BY 1, 3
		UNION ALL SELECT job_id, status, date_trunc('hour', applied_at, 'UTC'), count(*) FROM crowd GROUP BY 1, 2, 3`)
	exec(`DROP TABLE crowd`)
}

// others adds one person's application to each of n jobs, because most jobs have far fewer
// applications than the largest one.
func others(t testing.TB, pool *pgxpool.Pool, n int) {
	t.Helper()
	for _, sql := range []string{
		`INSERT INTO profiles SELECT 'usr_other', 'other@example.com', true, 'Sara Other', '', '', '', '', false, false, false,
			'', '', '', '', '', '', '', '', '', '', '{"v":1}', true, 0, now(), now() WHERE @n > 0`,
		`INSERT INTO applications SELECT 'apl_other_' || n, 'job_other_' || n, 'com_1', 'app_1', 'usr_other', 'applied', at, at, '',
			'{"v":1}', '{applied}', ARRAY[at], 'master', 'Main CV', at FROM generate_series(1, @n) n, (SELECT timestamptz '2025-01-01Z' AS at) made`,
		`INSERT INTO job_numbers (job_id) SELECT 'job_other_' || n FROM generate_series(1, @n) n`,
		`INSERT INTO application_search SELECT a.number, j.number, a.applied_at, a.status, E'sara other\nother@example.com\nmain cv'
			FROM applications a JOIN job_numbers j USING (job_id) WHERE a.person_id = 'usr_other' AND @n > 0`,
		`VACUUM ANALYZE`,
	} {
		args := []any{pgx.NamedArgs{"n": n}}
		if !strings.Contains(sql, "@n") {
			args = nil
		}
		if _, err := pool.Exec(t.Context(), sql, args...); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
}

// numberOf returns the number that stands for the job in the search tables.
func numberOf(t testing.TB, pool *pgxpool.Pool, jobID string) string {
	t.Helper()
	var number string
	if err := pool.QueryRow(t.Context(), "SELECT number::text FROM job_numbers WHERE job_id = $1", jobID).Scan(&number); err != nil {
		t.Fatal(err)
	}
	return number
}

func minutes(n int) time.Duration { return time.Duration(n) * time.Minute }

// stages are the stages of a crowd's applications, which take turns.
var stages = []application.Status{application.Applied, application.Reviewed, application.Rejected}

// crowdID returns the id of the i-th newest application in a crowd.
func crowdID(jobID string, i int) string { return fmt.Sprintf("apl_%s_%08d", jobID, 99_999_999-i) }

func copyIn(t testing.TB, pool *pgxpool.Pool, table string, columns []string, rows [][]any) {
	t.Helper()
	if _, err := pool.CopyFrom(t.Context(), pgx.Identifier{table}, columns, pgx.CopyFromRows(rows)); err != nil {
		t.Fatal(err)
	}
}

// plan is the query plan of a statement.
type plan struct {
	text string
	// pages is the number of table and index pages that the statement read.
	pages int
}

// explain runs a query with the given parameters and planner settings, and returns its plan.
func explain(t *testing.T, pool *pgxpool.Pool, name string, parameters map[string]string, settings ...string) plan {
	t.Helper()
	conn, err := pool.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Release()
	for _, set := range settings {
		if _, err := conn.Exec(t.Context(), set); err != nil {
			t.Fatal(err)
		}
	}
	defer func() { _, _ = conn.Exec(context.Background(), "RESET ALL") }()
	sql := parameter.ReplaceAllStringFunc(plain(t, name), func(p string) string { return valueOf(t, parameters, p) })
	return explained(t, conn, name, sql)
}

// explainForAll runs a query with a generic plan, which is independent of the parameters, and
// returns the plan.
func explainForAll(t *testing.T, pool *pgxpool.Pool, name string, parameters map[string]string) plan {
	t.Helper()
	conn, err := pool.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Release()
	var values []string
	sql := parameter.ReplaceAllStringFunc(plain(t, name), func(p string) string {
		values = append(values, valueOf(t, parameters, p))
		return "$" + strconv.Itoa(len(values))
	})
	for _, command := range []string{"SET plan_cache_mode = force_generic_plan", "PREPARE page AS " + sql} {
		if _, err := conn.Exec(t.Context(), command); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	defer func() { _, _ = conn.Exec(context.Background(), "RESET ALL; DEALLOCATE page") }()
	return explained(t, conn, name, "EXECUTE page ("+strings.Join(values, ", ")+")")
}

// plain returns a query without sqlc's syntax.
func plain(t *testing.T, name string) string {
	return embedded.ReplaceAllString(written(t)[name], "$1.*")
}

// valueOf returns a parameter's value as a literal.
func valueOf(t *testing.T, parameters map[string]string, parameter string) string {
	t.Helper()
	value, ok := parameters[parameter[1:]]
	if !ok {
		t.Fatalf("no value for %s", parameter)
	}
	return "'" + strings.ReplaceAll(value, "'", "''") + "'"
}

// explained runs a statement and returns its plan.
func explained(t *testing.T, conn *pgxpool.Conn, name, sql string) plan {
	t.Helper()
	rows, err := conn.Query(t.Context(), "EXPLAIN (ANALYZE, BUFFERS, TIMING OFF) "+sql, pgx.QueryExecModeSimpleProtocol)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	p := plan{text: strings.Join(lines, "\n")}
	// The first line that mentions buffers is about the whole statement.
	for _, n := range buffers.FindStringSubmatch(p.text)[1:] {
		pages, _ := strconv.Atoi(n) // one of the two numbers may be missing
		p.pages += pages
	}
	return p
}

var (
	embedded  = regexp.MustCompile(`sqlc\.embed\((\w+)\)`)
	parameter = regexp.MustCompile(`@\w+`)
	buffers   = regexp.MustCompile(`Buffers: shared(?: hit=(\d+))?(?: read=(\d+))?`)
	// Postgres scans small tables faster than it reads their indexes, but these tables are large.
	scanned = regexp.MustCompile(`Seq Scan on (applications|application_search|profiles)\b`)
)

func (p plan) uses(t *testing.T, what, index string) {
	t.Helper()
	if !regexp.MustCompile(`Index (Only )?Scan (using|on) `+index+`\b`).MatchString(p.text) || scanned.MatchString(p.text) {
		t.Errorf("%s does not use %s:\n%s", what, index, p.text)
	}
}

const many, few = 20_000, 1_000

// TestPlansForLargeJob uses one database for all checks, because filling the database takes longer
// than the checks.
func TestPlansForLargeJob(t *testing.T) {
	t.Parallel()
	_, pool := open(t)
	crowd(t, pool, "job_few", few)
	crowd(t, pool, "job_many", many)
	run := func(name string, test func(*testing.T, *pgxpool.Pool)) {
		t.Run(name, func(t *testing.T) { test(t, pool) })
	}
	run("a list costs the same as for a small job", listCostsTheSame)
	run("a list is read by index with a generic plan", listHasGenericPlan)
	run("the rows of a hit page are fetched by number", hitsAreFetchedByNumbers)
	run("a search uses trigrams", searchUsesTrigrams)
	others(t, pool, 10_000)
	run("a search uses trigrams among small jobs", searchUsesTrigrams)
	run("a text too short for trigrams is searched only in its job", shortTextIsSearchedInItsJob)
	shuffle(t, pool)
	run("a common text is found by a walk without sorting", commonTextIsFoundByWalk)
}

func listCostsTheSame(t *testing.T, pool *pgxpool.Pool) {
	page := func(jobID, query string, more map[string]string) plan {
		parameters := map[string]string{
			"job_id": jobID, "status": "reviewed", "before": "infinity", "skip": "0", "size": "25",
		}
		for k, v := range more {
			parameters[k] = v
		}
		return explain(t, pool, query, parameters)
	}
	for query, index := range map[string]string{"Applications": "applications_by_job", "ApplicationsInStage": "applications_by_job_and_status"} {
		small, large := page("job_few", query, nil), page("job_many", query, nil)
		large.uses(t, query, index)
		if 2*large.pages > 3*small.pages {
			t.Errorf("%s reads %d pages for a large job, %d for a small one", query, large.pages, small.pages)
		}
		// Read a page in the middle of the list, starting at the hour of that page.
		middle := page("job_many", query, map[string]string{"before": start.Add(-minutes(many / 2)).Format(time.RFC3339), "skip": "30"})
		middle.uses(t, query+" in the middle", index)
		if 2*middle.pages > 3*small.pages {
			t.Errorf("%s reads %d pages in the middle of a large job, %d at the start of a small one", query, middle.pages, small.pages)
		}
	}
}

// Postgres uses the same plan for the pages of all jobs, so the plan must be good for the largest
// job.
func listHasGenericPlan(t *testing.T, pool *pgxpool.Pool) {
	for query, index := range map[string]string{"Applications": "applications_by_job", "ApplicationsInStage": "applications_by_job_and_status"} {
		parameters := map[string]string{"job_id": "job_many", "status": "reviewed", "before": "infinity", "skip": "0", "size": "25"}
		own := explain(t, pool, query, parameters)
		all := explainForAll(t, pool, query, parameters)
		all.uses(t, query, index)
		if all.pages > own.pages {
			t.Errorf("%s reads %d pages with a generic plan, %d with a custom one:\n%s", query, all.pages, own.pages, all.text)
		}
	}
}

// searchUsesTrigrams also searches for Arabic text.
func searchUsesTrigrams(t *testing.T, pool *pgxpool.Pool) {
	for _, text := range []string{"MÜLLER 1234", "Sara Müller 1234", "p17311@", "فَاطِمَةُ العلـي ١٢٣٣"} {
		parameters := map[string]string{
			"job": numberOf(t, pool, "job_many"), "pattern": "%" + application.Fold(text) + "%", "whole": "",
			"patterns": `{"%` + strings.Join(application.Orders(application.Fold(text)), `%","%`) + `%"}`, "wholes": `{"","",""}`,
			"status": "", "skip": "0", "size": "25",
		}
		for _, query := range []string{"CountHits", "CollectHits"} {
			p := explain(t, pool, query, parameters)
			p.uses(t, query+" "+text, "application_search_text")
			if p.pages > 200 {
				t.Errorf("%s %s reads %d pages", query, text, p.pages)
			}
		}
	}
}

// shuffle reorders the search rows as if applications to many jobs had arrived in turn.
func shuffle(t testing.TB, pool *pgxpool.Pool) {
	t.Helper()
	for _, sql := range []string{
		`CREATE UNLOGGED TABLE shuffled AS TABLE application_search`,
		`TRUNCATE application_search`,
		`INSERT INTO application_search SELECT * FROM shuffled ORDER BY md5(application::text)`,
		`DROP TABLE shuffled`,
		`VACUUM ANALYZE`,
	} {
		if _, err := pool.Exec(t.Context(), sql); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
	}
}

func commonTextIsFoundByWalk(t *testing.T, pool *pgxpool.Pool) {
	for _, c := range []struct{ reach, skip, pages int }{{104, 0, 200}, {40_000, 10_000, 11_000}, {80_000, 19_000, 21_000}} {
		p := explain(t, pool, "WalkHits", map[string]string{
			"job": numberOf(t, pool, "job_many"), "query": "example", "status": "", "reach": fmt.Sprint(c.reach), "skip": fmt.Sprint(c.skip), "size": "25",
		}, "SET enable_sort = off")
		p.uses(t, "WalkHits", "application_search_job")
		if strings.Contains(p.text, "Sort") || p.pages > c.pages {
			t.Errorf("a page at offset %d of many hits reads %d database pages:\n%s", c.skip, p.pages, p.text)
		}
	}
}

func shortTextIsSearchedInItsJob(t *testing.T, pool *pgxpool.Pool) {
	p := explain(t, pool, "CountHits", map[string]string{
		"job": numberOf(t, pool, "job_few"), "patterns": "{%ra%}", "wholes": `{""}`, "status": "",
	})
	if scanned.MatchString(p.text) || p.pages > 100 {
		t.Errorf("a search for two letters reads %d pages for a small job:\n%s", p.pages, p.text)
	}
}

func hitsAreFetchedByNumbers(t *testing.T, pool *pgxpool.Pool) {
	p := explain(t, pool, "Hits", map[string]string{
		"job": numberOf(t, pool, "job_many"), "query": "sara", "status": "", "size": "3",
		"found": "{7,8,9}", "newest": start.Add(-minutes(6)).Format(time.RFC3339Nano), "tied": "0",
	})
	if scanned.MatchString(p.text) || p.pages > 60 {
		t.Errorf("three rows need %d pages:\n%s", p.pages, p.text)
	}
}
