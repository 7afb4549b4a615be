package postgres_test

import (
	"encoding/json"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

type plan struct {
	Node    string  `json:"Node Type"`
	Table   string  `json:"Relation Name"`
	Index   string  `json:"Index Name"`
	Rows    float64 `json:"Actual Rows"`
	Loops   float64 `json:"Actual Loops"`
	Removed float64 `json:"Rows Removed by Filter"`
	Plans   []plan
}

// read returns the number of rows that the plan reads from tables and the scans that it uses.
func (p plan) read() (rows float64, scans []string) {
	if p.Table != "" {
		rows = (p.Rows + p.Removed) * max(p.Loops, 1)
		scans = append(scans, p.Node+" "+p.Table+" "+p.Index)
	}
	for _, child := range p.Plans {
		r, s := child.read()
		rows += r
		scans = append(scans, s...)
	}
	return rows, scans
}

// statement returns a query from a file in queries.
func statement(t *testing.T, file, name string) string {
	t.Helper()
	raw, err := os.ReadFile("queries/" + file)
	if err != nil {
		t.Fatal(err)
	}
	_, after, found := strings.Cut(string(raw), "-- name: "+name+" ")
	if !found {
		t.Fatalf("query %s not found", name)
	}
	_, sql, _ := strings.Cut(after, "\n")
	sql, _, _ = strings.Cut(sql, "-- name: ")
	return strings.TrimRight(strings.TrimSpace(sql), ";")
}

var parameter = regexp.MustCompile(`@(\w+)|sqlc\.narg\('(\w+)'\)`)

// explain runs a query as a prepared statement with a custom or a generic plan, depending on mode.
// It returns the number of rows that the query read and the scans that it used.
func explain(t *testing.T, conn *pgx.Conn, mode, sql string, types, values map[string]string) (float64, []string) {
	t.Helper()
	var order []string
	sql = regexp.MustCompile(`sqlc\.embed\((\w+)\)`).ReplaceAllString(sql, "$1.*")
	sql = parameter.ReplaceAllStringFunc(sql, func(match string) string {
		parts := parameter.FindStringSubmatch(match)
		order = append(order, parts[1]+parts[2])
		return "$" + strconv.Itoa(len(order))
	})
	typeList, valueList := make([]string, len(order)), make([]string, len(order))
	for i, name := range order {
		typeList[i], valueList[i] = types[name], values[name]
	}
	var raw []byte
	for _, command := range []string{
		"SET plan_cache_mode = " + mode,
		"PREPARE q (" + strings.Join(typeList, ",") + ") AS " + sql,
	} {
		if _, err := conn.Exec(t.Context(), command); err != nil {
			t.Fatalf("%v: %s", err, command)
		}
	}
	if err := conn.QueryRow(t.Context(), "EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) EXECUTE q ("+strings.Join(valueList, ",")+")",
		pgx.QueryExecModeSimpleProtocol).Scan(&raw); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Exec(t.Context(), "DEALLOCATE q"); err != nil {
		t.Fatal(err)
	}
	var explained []struct{ Plan plan }
	if err := json.Unmarshal(raw, &explained); err != nil {
		t.Fatal(err)
	}
	return explained[0].Plan.read()
}

func quoted(s string) string { return "'" + s + "'" }

// TestJobListsReadFewRows checks that the cost of a page does not grow with the table. Reading the
// first page and the total must need as many rows with 30,000 jobs as with 200, and a page in the
// middle may skip at most the jobs of one hour.
func TestJobListsReadFewRows(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	small := add(t, o.store, employer("app_1", "small")).ID
	o.seed(o.company, 30_000, 90)
	o.seed(small, 200, 90)
	conn, err := o.pool.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Release()
	// The test counts rows, so a statement must not fail because the machine is busy.
	for _, command := range []string{"SET statement_timeout = 0", "VACUUM ANALYZE jobs", "VACUUM ANALYZE job_counts"} {
		if _, err := conn.Exec(t.Context(), command); err != nil {
			t.Fatal(err)
		}
	}
	types := map[string]string{
		"company_id": "text", "app_id": "text", "statuses": "text[]", "skip": "bigint", "size": "bigint",
		"status": "text", "before": "timestamptz", "id": "text", "key": "text",
	}
	before := "'" + start.AddDate(0, 0, -20).Format("2006-01-02 15:04:05Z07:00") + "'"
	for name, tc := range map[string]struct {
		file, query string
		values      map[string]string
		atMost      float64
	}{
		"total":                 {"jobs_list.sql", "CountJobs", map[string]string{}, 10},
		"hour of a middle page": {"jobs_list.sql", "FindJobs", map[string]string{"skip": "13500"}, 3 * (12 + 31*24)},
		"first page and total":  {"jobs_list.sql", "FirstJobsOfCompany", map[string]string{}, 40},
		"first, filtered":       {"jobs_list.sql", "FirstJobsInStatus", map[string]string{}, 40},
		"first page":            {"jobs_list.sql", "JobsOfCompany", map[string]string{"skip": "0", "before": "NULL"}, 60},
		"middle page":           {"jobs_list.sql", "JobsOfCompany", map[string]string{"skip": "100", "before": before}, 160},
		"first page, filtered":  {"jobs_list.sql", "JobsInStatus", map[string]string{"skip": "0", "before": "NULL"}, 60},
		"middle page, filtered": {"jobs_list.sql", "JobsInStatus", map[string]string{"skip": "70", "before": before}, 130},
		"job":                   {"jobs.sql", "JobByID", map[string]string{"id": "'job_' || " + quoted(o.company) + " || '_0000000'"}, 2},
		"pinned job":            {"jobs.sql", "PinnedJob", map[string]string{"key": "'k'"}, 3},
	} {
		for _, company := range []string{o.company, small} {
			tc.values["company_id"], tc.values["app_id"], tc.values["size"] = quoted(company), "'app_1'", "25"
			tc.values["status"], tc.values["statuses"] = "'closed'", "'{draft,active,closed}'"
			for _, mode := range []string{"force_custom_plan", "force_generic_plan"} {
				rows, scans := explain(t, conn.Conn(), mode, statement(t, tc.file, tc.query), types, tc.values)
				if large := company == o.company; rows > tc.atMost {
					t.Errorf("%s (%s, large: %t) reads %.0f rows, want at most %.0f: %q", name, mode, large, rows, tc.atMost, scans)
				} else if large && strings.Contains(strings.Join(scans, ","), "Seq Scan job") {
					t.Errorf("%s (%s) reads a table without an index: %q", name, mode, scans)
				}
			}
		}
	}
}
