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
	// few and many are the lengths of two lists. The lists are read alternately, so a busy machine
	// slows down both.
	few  = 1_000
	many = 1_000_000
	// others is the number of small jobs in addition to the large one. The statistics of many jobs lead
	// Postgres to different plans than the statistics of a few.
	others = 20_000
	// reads is the number of times that each page is read. The median is reported.
	reads = 60
)

//go:embed fill/*.sql
var fillings embed.FS

// BenchmarkCompanyJobs reads the jobs of a company with a million jobs.
func BenchmarkCompanyJobs(b *testing.B) {
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
		measure(b, "middle", list("big", fmt.Sprintf("?page=%d", many*19/20/25/2)))
		measure(b, "middle-active", list("big", fmt.Sprintf("?status=active&page=%d", many*14/20/25/2)))
		measure(b, "last", list("big", fmt.Sprintf("?page=%d", many*19/20/25)))
	}
	b.ReportMetric(0, "ns/op")
}

// BenchmarkJobApplications reads and searches the applications for a job with a million applications.
func BenchmarkJobApplications(b *testing.B) {
	e := newEmployer(b)
	db := e.database(b, "candidate")
	people := "bench" + strings.ToLower(world.Unique())
	fill(b, db, "people", e.created.People["layla"].ID, people, many)
	// The trigram index is rebuilt after the rows are inserted. Updating it row by row takes minutes.
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
		measure(b, "middle", list("big", fmt.Sprintf("?page=%d", many/25/2)))
		measure(b, "middle-rejected", list("big", fmt.Sprintf("?status=rejected&page=%d", many/6/25/2)))
		measure(b, "last", list("big", fmt.Sprintf("?page=%d", many/25)))
		var name string
		if err := db.QueryRow(b.Context(), "SELECT name FROM profiles WHERE person_id LIKE $1 || '-%5021'", people).Scan(&name); err != nil {
			b.Fatal(err)
		}
		family := name[strings.LastIndexByte(name, ' ')+1:]
		measure(b, "by-name", list("big", "?query="+url.QueryEscape(name)))
		measure(b, "by-family-name", list("big", "?query="+url.QueryEscape(family)))
		measure(b, "by-email", list("big", "?query=person765432%40applicants.example"))
		// A tenth of the applicants have this given name. The second read is a page in the middle of
		// the results.
		measure(b, "by-given-name", list("big", "?query=layla"))
		measure(b, "by-given-name-middle", list("big", fmt.Sprintf("?query=layla&page=%d", many/10/25/2)))
		measure(b, "by-given-name-rejected", list("big", "?query=layla&status=rejected"))
		// The term is too short for the trigram index.
		measure(b, "by-two-letters", list("big", "?query=la"))
	}
	b.ReportMetric(0, "ns/op")
}

// employer is an imported platform with companies, jobs and an API key.
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

// database connects to the database of a service, with a role that has all permissions.
func (e employer) database(b *testing.B, service string) *pgx.Conn {
	b.Helper()
	db := expect.Must(pgx.Connect(b.Context(), expect.Must(system.Database(service))(b)))(b)
	b.Cleanup(func() { _ = db.Close(context.Background()) })
	return db
}

// fill runs a statement from the folder fill, which inserts rows. Inserting them through the API would
// take hours.
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

// tidy vacuums and analyzes a database, which autovacuum would do within minutes.
func tidy(b *testing.B, db *pgx.Conn) {
	b.Helper()
	if _, err := db.Exec(b.Context(), "VACUUM (ANALYZE)"); err != nil {
		b.Fatal(err)
	}
}

// compare reads a page of a short and of a long list alternately. It reports the duration for the long
// list and its ratio to the duration for the short list.
func compare(b *testing.B, name string, short, long func(context.Context) error) {
	b.Helper()
	var a, z []float64
	for i := range reads + 5 {
		x, y := timed(b, short), timed(b, long)
		if i >= 5 { // the first reads warm up
			a, z = append(a, x), append(z, y)
		}
	}
	b.ReportMetric(median(z), name+"-ms")
	b.ReportMetric(median(z)/median(a), name+"-ratio")
}

// measure reports the duration of reading a page.
func measure(b *testing.B, name string, read func(context.Context) error) {
	b.Helper()
	var took []float64
	for i := range reads + 5 {
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
