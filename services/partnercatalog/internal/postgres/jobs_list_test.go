package postgres_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"

	"vitae.internal/services/partnercatalog/internal/job"
)

// seed adds n jobs to a company. Jobs are created in groups of three with the same time; the groups
// are the given number of seconds apart and end at start. Of every ten jobs, six are live, two are
// drafts, one is closed and one is archived.
func (o *office) seed(company string, n int, seconds float64) {
	o.Helper()
	o.unhurried(`
		INSERT INTO jobs (id, company_id, status, title, department, country, city, work_mode, employment, seniority, summary,
			responsibilities, requirements, nice_to_have, benefits, salary_currency, salary_period, salary_visible, candidate_location,
			experience_years, language, work_eligibility, programme, programme_note, programme_accepted, questions, distribution,
			public_label, posted_at, created_at, updated_at)
		SELECT 'job_' || $1 || '_' || lpad((n * 7919 % 1000003)::text, 7, '0'), $1, status, 'Title', '', '', '', 'remote', 'contract', 'entry', 'Summary',
			'{}', '{}', '{}', '{}', '', '', false, '', '', '', '', '', '', false, '{"v": 1, "items": []}', 'hidden',
			'', CASE status WHEN 'draft' THEN NULL ELSE at END, at, at
		FROM generate_series(0, $2::int - 1) n,
			LATERAL (SELECT date_trunc('milliseconds', $4::timestamptz - make_interval(secs => floor(n / 3) * $3)) AS at,
				(ARRAY['active','active','draft','active','closed','active','archived','active','draft','active'])[n % 10 + 1] AS status) made`,
		company, n, seconds, start)
}

// unhurried runs a statement without the pool's statement timeout, because the time to insert many
// rows depends on how busy the machine is.
func (o *office) unhurried(sql string, values ...any) {
	o.Helper()
	err := pgx.BeginFunc(o.Context(), o.pool, func(tx pgx.Tx) error {
		if _, err := tx.Exec(o.Context(), "SET LOCAL statement_timeout = 0"); err != nil {
			return err
		}
		_, err := tx.Exec(o.Context(), sql, values...)
		return err
	})
	if err != nil {
		o.Fatal(err)
	}
}

func (o *office) page(company string, status *job.Status, skip int64, size int32) job.Page {
	o.Helper()
	page, err := o.List(o.Context(), job.Query{AppID: "app_1", CompanyID: company, Status: status, Skip: skip, Size: size})
	if err != nil {
		o.Fatal(err)
	}
	return page
}

func ids(jobs []job.Job) []string {
	out := make([]string, len(jobs))
	for i, j := range jobs {
		out[i] = j.ID
	}
	return out
}

func TestDeepJobPagesAreExact(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	other := add(t, o.store, employer("app_1", "other")).ID
	o.seed(o.company, 6000, 1111) // 26 days that span New Year, always three jobs at the same time
	o.seed(other, 50, 3600)
	for _, status := range []*job.Status{nil, ptr(job.Active), ptr(job.Draft), ptr(job.Closed), ptr(job.Archived)} {
		name := "all but archived"
		where := "status <> 'archived'"
		if status != nil {
			name, where = string(*status), fmt.Sprintf("status = '%s'", *status)
		}
		rows, err := o.pool.Query(t.Context(), "SELECT id FROM jobs WHERE company_id = $1 AND "+where+" ORDER BY created_at DESC, id DESC", o.company)
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		for rows.Next() {
			var id string
			if err := rows.Scan(&id); err != nil {
				t.Fatal(err)
			}
			want = append(want, id)
		}
		for skip := 0; skip < len(want)+200; skip += 97 {
			page := o.page(o.company, status, int64(skip), 97)
			expected := want[min(skip, len(want)):min(skip+97, len(want))]
			if got := ids(page.Jobs); !slices.Equal(got, expected) {
				t.Fatalf("%s at offset %d: %d jobs, which are not the expected ones", name, skip, len(got))
			}
			if int(page.Total) != len(want) {
				t.Fatalf("%s at offset %d: total %d, want %d", name, skip, page.Total, len(want))
			}
		}
	}
	o.countsAreExact()
	if page := o.page(o.company, nil, 1<<40, 100); len(page.Jobs) != 0 || page.Total != 5400 {
		t.Errorf("far past the end: %d jobs of %d", len(page.Jobs), page.Total)
	}
}

func TestMoveChangesFilteredLists(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	made := o.create("draft", "", role("Engineer")).Job.ID
	expect := func(in ...job.Status) {
		t.Helper()
		for _, status := range job.Statuses {
			want := 0
			if slices.Contains(in, status) {
				want = 1
			}
			if page := o.page(o.company, &status, 0, 10); len(page.Jobs) != want || int(page.Total) != want {
				t.Errorf("%s: %d jobs of %d, want %d", status, len(page.Jobs), page.Total, want)
			}
		}
		want := 1
		if slices.Contains(in, job.Archived) {
			want = 0
		}
		if page := o.page(o.company, nil, 0, 10); len(page.Jobs) != want || int(page.Total) != want {
			t.Errorf("without a filter: %d jobs of %d, want %d", len(page.Jobs), page.Total, want)
		}
	}
	expect(job.Draft)
	for _, move := range []func() (job.Job, error){
		func() (job.Job, error) { return o.Publish(t.Context(), "app_1", made) },
		func() (job.Job, error) { return o.Close(t.Context(), "app_1", made) },
		func() (job.Job, error) { return o.Archive(t.Context(), "app_1", made) },
	} {
		moved, err := move()
		if err != nil {
			t.Fatal(err)
		}
		expect(moved.Status)
	}
}
