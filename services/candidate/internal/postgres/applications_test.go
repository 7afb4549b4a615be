package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"vitae.internal/pkg/id"
	"vitae.internal/services/candidate/internal/application"
	"vitae.internal/services/candidate/internal/cv"
	"vitae.internal/services/candidate/internal/postgres"
	"vitae.internal/services/candidate/internal/profile"
)

// applying returns the person's application to a job, with the main CV.
func applying(personID, jobID string, at time.Time) application.New {
	return application.New{
		Application: application.Application{
			ID: id.New("apl"), JobID: jobID, CompanyID: "com_1", AppID: "app_1", PersonID: personID,
			Status: application.Applied, AppliedAt: at, UpdatedAt: at, Source: application.SourcePublicPage,
			Answers: []application.Answer{
				{QuestionID: "q1", Type: application.Number, Value: 12.5},
				{QuestionID: "q2", Type: application.YesNo, Value: true},
				{QuestionID: "q3", Type: application.LongAnswer, Value: "«نعم»"},
			},
			History: []application.Change{{Status: application.Applied, At: at}},
		},
		Submission:  application.Submission{CvID: profile.MainCvID},
		CoverLetter: "Dear team",
	}
}

func apply(t *testing.T, s *postgres.Stores, n application.New) application.Row {
	t.Helper()
	row, err := s.Applications.Apply(t.Context(), n)
	if err != nil {
		t.Fatal(err)
	}
	return row
}

// all returns the first hundred applications to a job.
func all(t *testing.T, s *postgres.Stores, f application.Filter) application.List {
	t.Helper()
	list, err := s.Applications.List(t.Context(), f, application.Page{Size: 100})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// consistent checks that the counts, search rows and histories match the applications.
func consistent(t testing.TB, pool *pgxpool.Pool) {
	t.Helper()
	for what, sql := range map[string]string{
		"totals": `WITH kept AS (SELECT job_id, status, count FROM application_totals WHERE count <> 0),
			true AS (SELECT job_id, status, count(*)::int FROM applications GROUP BY 1, 2 UNION ALL SELECT job_id, '', count(*)::int FROM applications GROUP BY 1)
			SELECT count(*) FROM (TABLE kept EXCEPT TABLE true UNION ALL (TABLE true EXCEPT TABLE kept)) d`,
		"hours": `WITH kept AS (SELECT job_id, status, hour, count FROM application_counts WHERE count <> 0),
			of_row AS (SELECT job_id, status, date_trunc('hour', applied_at, 'UTC') AS hour FROM applications),
			true AS (SELECT job_id, status, hour, count(*)::int FROM of_row GROUP BY 1, 2, 3 UNION ALL SELECT job_id, '', hour, count(*)::int FROM of_row GROUP BY 1, 3)
			SELECT count(*) FROM (TABLE kept EXCEPT TABLE true UNION ALL (TABLE true EXCEPT TABLE kept)) d`,
		"search": `SELECT count(*) FROM applications a FULL JOIN application_search s ON s.application = a.number
			LEFT JOIN job_numbers j ON j.number = s.job
			WHERE (a.job_id, a.status, a.applied_at) IS DISTINCT FROM (j.job_id, s.status, s.applied_at)`,
		"submissions": `SELECT count(*) FROM applications a FULL JOIN submissions s ON s.application_id = a.id
			WHERE a.id IS NULL OR s.application_id IS NULL OR (a.cv_id IS NULL) <> (s.cv_content IS NULL)`,
		"histories": `SELECT count(*) FROM applications WHERE history_status[cardinality(history_status)] <> status
			OR history_at[cardinality(history_at)] <> updated_at OR history_at[1] <> applied_at
			OR history_at <> (SELECT array_agg(at ORDER BY at) FROM unnest(history_at) at)`,
		"outbox": `SELECT count(*) FROM application_count_outbox o LEFT JOIN application_totals t ON t.job_id = o.job_id AND t.status = ''
			WHERE o.count IS DISTINCT FROM t.count`,
	} {
		var wrong int
		if err := pool.QueryRow(context.Background(), strings.ReplaceAll(sql, "true", `"true"`)).Scan(&wrong); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		if wrong != 0 {
			t.Errorf("%s: %d rows do not match the applications", what, wrong)
		}
	}
}

func TestApplicationRoundTrip(t *testing.T) {
	t.Parallel()
	s, pool := open(t)
	person := add(t, s, "usr_1", "sara")
	n := applying("usr_1", "job_1", start.Add(time.Hour))
	want := application.Row{Application: n.Application, Candidate: application.Candidate{
		PersonID: "usr_1", Name: person.Name, Username: "sara", HasPhoto: true, Email: person.Email, Headline: person.Headline,
	}}
	want.Cv = &profile.CvReference{ID: "master", Title: "Main CV", UpdatedAt: person.UpdatedAt}
	if got := apply(t, s, n); !reflect.DeepEqual(got, want) {
		t.Errorf("created %+v\nwant %+v", got, want)
	}
	if got := all(t, s, application.Filter{JobID: "job_1"}); got.Total != 1 || !reflect.DeepEqual(got.Rows, []application.Row{want}) {
		t.Errorf("listed %+v\nwant %+v", got, want)
	}
	consistent(t, pool)
}

// submitted reads the submitted CV and the cover letter of an application.
func submitted(t *testing.T, pool *pgxpool.Pool, applicationID string) (letter string, createdAt time.Time, content *cv.Content) {
	t.Helper()
	var raw []byte
	row := pool.QueryRow(t.Context(), "SELECT cover_letter, cv_created_at, cv_content FROM submissions WHERE application_id = $1", applicationID)
	if err := row.Scan(&letter, &createdAt, &raw); err != nil {
		t.Fatal(err)
	}
	content, err := cv.Decode(raw)
	if err != nil {
		t.Fatal(err)
	}
	return letter, createdAt.UTC(), content
}

func TestSubmittedCvIsFrozen(t *testing.T) {
	t.Parallel()
	s, pool := open(t)
	person := add(t, s, "usr_1", "sara")
	other := addCv(t, s, "usr_1", "Engineer", start.Add(time.Minute))
	main, beside := applying("usr_1", "job_1", start), applying("usr_1", "job_2", start)
	beside.CvID = other.ID
	mainRow, besideRow := apply(t, s, main), apply(t, s, beside)
	want := &profile.CvReference{ID: other.ID, Title: "Engineer", UpdatedAt: other.UpdatedAt}
	if !reflect.DeepEqual(besideRow.Cv, want) {
		t.Errorf("submitted %+v, want %+v", besideRow.Cv, want)
	}

	changed := person
	changed.Content, changed.UpdatedAt = &cv.Content{Summary: "changed"}, start.Add(time.Hour)
	if _, err := s.Profiles.UpdateProfile(t.Context(), changed, []profile.Field{profile.FieldContent}); err != nil {
		t.Fatal(err)
	}
	if err := s.Profiles.DeleteCv(t.Context(), other.ID); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		row       application.Row
		createdAt time.Time
		content   *cv.Content
	}{{mainRow, person.CreatedAt, person.Content}, {besideRow, other.CreatedAt, other.Content}} {
		letter, createdAt, content := submitted(t, pool, c.row.ID)
		if letter != "Dear team" || !createdAt.Equal(c.createdAt) || !same(content, c.content) {
			t.Errorf("submitted %q, %s, %+v", letter, createdAt, content)
		}
		if got := all(t, s, application.Filter{JobID: c.row.JobID}).Rows; len(got) != 1 || !reflect.DeepEqual(got[0].Cv, c.row.Cv) {
			t.Errorf("listed %+v, want %+v", got, c.row.Cv)
		}
	}
}

func TestFailedApplicationLeavesNothing(t *testing.T) {
	t.Parallel()
	s, pool := open(t)
	empty := full("usr_1", "sara")
	empty.HasMainCv = false
	if err := s.Profiles.CreateProfile(t.Context(), empty); err != nil {
		t.Fatal(err)
	}
	add(t, s, "usr_2", "omar")
	foreign := addCv(t, s, "usr_2", "Foreign", start)
	for name, c := range map[string]struct {
		person string
		what   application.Submission
		want   error
	}{
		"no profile":           {"usr_9", application.Submission{CvID: "master"}, profile.ErrProfileNotFound},
		"an empty main CV":     {"usr_1", application.Submission{CvID: "master"}, profile.ErrCvNotFound},
		"an unknown CV":        {"usr_1", application.Submission{CvID: id.New("cv")}, profile.ErrCvNotFound},
		"another person's CV":  {"usr_1", application.Submission{CvID: foreign.ID}, profile.ErrCvNotFound},
		"an unknown resume":    {"usr_1", application.Submission{ResumeID: id.New("res")}, application.ErrResumeNotFound},
		"an invalid person id": {"'; --", application.Submission{CvID: "master"}, profile.ErrProfileNotFound},
	} {
		n := applying(c.person, "job_1", start)
		n.Submission = c.what
		if _, err := s.Applications.Apply(t.Context(), n); !errors.Is(err, c.want) {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
	for _, table := range []string{"applications", "submissions", "application_search", "application_totals", "application_counts", "application_count_outbox"} {
		var rows int
		if err := pool.QueryRow(t.Context(), "SELECT count(*) FROM "+table).Scan(&rows); err != nil || rows != 0 {
			t.Errorf("%s contains %d rows, %v", table, rows, err)
		}
	}
}

func TestPersonAppliesOncePerJob(t *testing.T) {
	t.Parallel()
	s, pool := open(t)
	for i := range 4 {
		add(t, s, fmt.Sprintf("usr_%d", i), fmt.Sprintf("person%d", i))
	}
	var mu sync.Mutex
	made := map[string]int{}
	var wg sync.WaitGroup
	for i := range 50 {
		wg.Go(func() {
			n := applying(fmt.Sprintf("usr_%d", i%4), "job_1", start.Add(time.Duration(i)*time.Minute))
			_, err := s.Applications.Apply(context.Background(), n)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				made[n.PersonID]++
			} else if !errors.Is(err, application.ErrAlreadyApplied) {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if want := map[string]int{"usr_0": 1, "usr_1": 1, "usr_2": 1, "usr_3": 1}; !reflect.DeepEqual(made, want) {
		t.Errorf("the results are %v", made)
	}
	if got := all(t, s, application.Filter{JobID: "job_1"}); got.Total != 4 || len(got.Rows) != 4 {
		t.Errorf("the list has %d rows of %d", len(got.Rows), got.Total)
	}
	consistent(t, pool)
	apply(t, s, applying("usr_0", "job_2", start)) // applications to different jobs are allowed
}

func TestResumeBelongsToOneApplication(t *testing.T) {
	t.Parallel()
	s, pool := open(t)
	add(t, s, "usr_1", "sara")
	add(t, s, "usr_2", "omar")
	resume := func(personID string, ready bool) string {
		resumeID := id.New("res")
		if _, err := pool.Exec(t.Context(), `INSERT INTO resumes (id, person_id, filename, content_type, size, blob_key, ready, created_at)
			VALUES ($1, $2, 'cv.pdf', 'application/pdf', 1, $1, $3, now())`, resumeID, personID, ready); err != nil {
			t.Fatal(err)
		}
		return resumeID
	}
	foreign, unfinished, shared := resume("usr_2", true), resume("usr_1", false), resume("usr_1", true)
	for i, resumeID := range []string{foreign, unfinished} {
		n := applying("usr_1", fmt.Sprintf("job_%d", i), start)
		n.Submission = application.Submission{ResumeID: resumeID}
		if _, err := s.Applications.Apply(t.Context(), n); !errors.Is(err, application.ErrResumeNotFound) {
			t.Errorf("resume %d: %v", i, err)
		}
	}
	var mu sync.Mutex
	var winners []application.Row
	var wg sync.WaitGroup
	for i := range 10 {
		wg.Go(func() {
			n := applying("usr_1", fmt.Sprintf("job_%d", i), start)
			n.Submission = application.Submission{ResumeID: shared}
			row, err := s.Applications.Apply(context.Background(), n)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				winners = append(winners, row)
			} else if !errors.Is(err, application.ErrResumeNotFound) {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if len(winners) != 1 {
		t.Fatalf("%d applications have the resume, want 1", len(winners))
	}
	if winners[0].Cv != nil {
		t.Errorf("the application has a CV in addition to a file: %+v", winners[0].Cv)
	}
	var owner string
	if err := pool.QueryRow(t.Context(), "SELECT application_id FROM resumes WHERE id = $1", shared).Scan(&owner); err != nil || owner != winners[0].ID {
		t.Errorf("the resume belongs to %q, %v", owner, err)
	}
	// If the response to the first call was lost, a repeated call gets a clear error.
	n := applying("usr_1", winners[0].JobID, start)
	n.Submission = application.Submission{ResumeID: shared}
	if _, err := s.Applications.Apply(t.Context(), n); !errors.Is(err, application.ErrAlreadyApplied) {
		t.Errorf("a repeated call: %v", err)
	}
	consistent(t, pool)
}
