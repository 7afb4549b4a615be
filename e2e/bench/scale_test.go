package bench

import (
	"context"
	"embed"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/world"
)

const (
	// few and many are the lengths of two lists. They are read in turn, so that a busy
	// machine slows down both.
	few  = 1_000
	many = 1_000_000
	// others is how many small jobs there are in addition to the large one. Postgres plans
	// differently with the statistics of many jobs than with those of a few.
	others = 20_000
	// asked is how often each page is read. The median is reported.
	asked = 60
)

//go:embed fill/*.sql
var fillings embed.FS

// BenchmarkJobsOfACompany reads the jobs of a company that has a million of them.
func BenchmarkJobsOfACompany(b *testing.B) {
	e := newEmployer(b)
	db := e.database(b, "partnercatalog")
	template := e.created.Jobs["template"].ID
	for company, n := range map[string]int{"small": few, "big": many} {
		fill(b, db, "jobs", template, e.created.Companies[company].ID, n)
	}
	tidy(b, db)

	list := func(company, query string) func(context.Context) error {
		return get(e.baseURL+"/v1/companies/"+e.created.Companies[company].ID+"/jobs"+query, e.key)
	}
	for b.Loop() {
		for name, query := range map[string]string{"page1": "", "active": "?status=active", "archived": "?status=archived"} {
			compare(b, name, list("small", query), list("big", query))
		}
		alone(b, "middle", list("big", fmt.Sprintf("?page=%d", many*19/20/25/2)))
		alone(b, "middle-active", list("big", fmt.Sprintf("?status=active&page=%d", many*14/20/25/2)))
		alone(b, "last", list("big", fmt.Sprintf("?page=%d", many*19/20/25)))
	}
	b.ReportMetric(0, "ns/op")
}

// BenchmarkApplicationsToAJob reads the applications to a job that has a million of
// them, and searches them.
func BenchmarkApplicationsToAJob(b *testing.B) {
	e := newEmployer(b)
	db := e.database(b, "candidate")
	people := "bench" + strings.ToLower(world.Unique())
	fill(b, db, "people", e.created.People["layla"].ID, people, many)
	// The trigram index is built after the rows are there. Filling it row by row takes
	// minutes.
	restore := dropIndex(b, db, "application_search_text")
	for job, n := range map[string]int{"small": few, "big": many} {
		id := e.created.Jobs[job].ID
		fill(b, db, "applications", e.created.Applications["template"].ID, id, people, n)
		fill(b, db, "totals", id)
		fill(b, db, "hours", id)
	}
	fill(b, db, "others", e.created.Applications["template"].ID, people, others)
	fill(b, db, "search")
	restore()
	tidy(b, db)

	list := func(job, query string) func(context.Context) error {
		return get(e.baseURL+"/v1/jobs/"+e.created.Jobs[job].ID+"/candidates"+query, e.key)
	}
	for b.Loop() {
		for name, query := range map[string]string{"page1": "", "rejected": "?status=rejected"} {
			compare(b, name, list("small", query), list("big", query))
		}
		alone(b, "middle", list("big", fmt.Sprintf("?page=%d", many/25/2)))
		alone(b, "middle-rejected", list("big", fmt.Sprintf("?status=rejected&page=%d", many/6/25/2)))
		alone(b, "last", list("big", fmt.Sprintf("?page=%d", many/25)))
		var name string
		if err := db.QueryRow(b.Context(), "SELECT name FROM profiles WHERE person_id LIKE $1 || '-%5021'", people).Scan(&name); err != nil {
			b.Fatal(err)
		}
		family := name[strings.LastIndexByte(name, ' ')+1:]
		alone(b, "by-name", list("big", "?query="+url.QueryEscape(name)))
		alone(b, "by-family-name", list("big", "?query="+url.QueryEscape(family)))
		alone(b, "by-email", list("big", "?query=person765432%40applicants.example"))
		// A tenth of the applicants have this name. The second read is a page in the middle of
		// those.
		alone(b, "by-given-name", list("big", "?query=layla"))
		alone(b, "by-given-name-middle", list("big", fmt.Sprintf("?query=layla&page=%d", many/10/25/2)))
		alone(b, "by-given-name-rejected", list("big", "?query=layla&status=rejected"))
		// Too short for the trigram index.
		alone(b, "by-two-letters", list("big", "?query=la"))
	}
	b.ReportMetric(0, "ns/op")
}

// employer is an imported platform with companies, jobs and a key.
type employer struct {
	baseURL, key string
	created      world.Created
}

func newEmployer(b *testing.B) employer {
	b.Helper()
	person := world.Full()
	company := func(ref string) world.Fields { return world.Company().With("ref", ref).With("app", "ats") }
	job := func(ref, company string) world.Fields { return world.Live().With("ref", ref).With("company", company) }
	created := world.Import(b, system, world.World{
		People: []world.Person{person}, Developers: []world.Developer{world.Platform()},
		Companies:    []world.Fields{company("small"), company("big"), company("other")},
		Jobs:         []world.Fields{job("template", "other"), job("small", "small"), job("big", "big")},
		Applications: []world.Application{{Ref: "template", Job: "template", Person: person.Ref, CV: "master"}},
	})
	return employer{baseURL: system.BaseURLs[0], key: created.APIKeys["ats-key"].Key, created: created}
}

// database connects to the database of a service, with a role that may do everything.
func (e employer) database(b *testing.B, part string) *pgx.Conn {
	b.Helper()
	db := expect.Must(pgx.Connect(b.Context(), expect.Must(system.Database(part))(b)))(b)
	b.Cleanup(func() { _ = db.Close(context.Background()) })
	return db
}

// fill runs one of the statements in the folder fill, which insert rows. Through the API this
// would take hours.
func fill(b *testing.B, db *pgx.Conn, name string, args ...any) {
	b.Helper()
	statement, err := fillings.ReadFile("fill/" + name + ".sql")
	if err != nil {
		b.Fatal(err)
	}
	start := time.Now()
	made, err := db.Exec(b.Context(), string(statement), args...)
	if err != nil {
		b.Fatalf("fill %s: %v", name, err)
	}
	b.Logf("%s: %d rows in %v", name, made.RowsAffected(), time.Since(start).Round(time.Millisecond))
}

// dropIndex drops an index. restore creates it again.
func dropIndex(b *testing.B, db *pgx.Conn, name string) (restore func()) {
	b.Helper()
	var definition string
	if err := db.QueryRow(b.Context(), "SELECT pg_get_indexdef($1::regclass)", name).Scan(&definition); err != nil {
		b.Fatal(err)
	}
	run := func(statement string) {
		if _, err := db.Exec(b.Context(), statement); err != nil {
			b.Fatalf("%s: %v", statement, err)
		}
	}
	run("DROP INDEX " + pgx.Identifier{name}.Sanitize())
	return func() {
		run("SET maintenance_work_mem = '512MB'")
		run(definition)
	}
}

// tidy vacuums and analyses a database, which autovacuum would do within minutes.
func tidy(b *testing.B, db *pgx.Conn) {
	b.Helper()
	if _, err := db.Exec(b.Context(), "VACUUM (ANALYZE)"); err != nil {
		b.Fatal(err)
	}
}

// compare reads a page of a short list and of a long one in turn. It reports the time of
// the long one, and its ratio to the time of the short one.
func compare(b *testing.B, name string, short, long func(context.Context) error) {
	b.Helper()
	var a, z []float64
	for i := range asked + 5 {
		x, y := timed(b, short), timed(b, long)
		if i >= 5 { // the first ones warm up
			a, z = append(a, x), append(z, y)
		}
	}
	b.ReportMetric(median(z), name+"-ms")
	b.ReportMetric(median(z)/median(a), name+"-ratio")
}

// alone reports the time of one page.
func alone(b *testing.B, name string, read func(context.Context) error) {
	b.Helper()
	var took []float64
	for i := range asked + 5 {
		if ms := timed(b, read); i >= 5 {
			took = append(took, ms)
		}
	}
	b.ReportMetric(median(took), name+"-ms")
}

func timed(b *testing.B, do func(context.Context) error) (ms float64) {
	b.Helper()
	start := time.Now()
	if err := do(b.Context()); err != nil {
		b.Fatal(err)
	}
	return float64(time.Since(start).Microseconds()) / 1000
}
