package postgres_test

import (
	"fmt"
	"reflect"
	"sync"
	"testing"
	"time"

	"vitae.internal/services/candidate/internal/application"
	"vitae.internal/services/candidate/internal/postgres"
	"vitae.internal/services/candidate/internal/profile"
)

// walk reads a list page by page and returns the ids.
func walk(t *testing.T, s *postgres.Stores, f application.Filter, size int32) (ids []string, total int32) {
	t.Helper()
	for offset := int64(0); ; offset += int64(size) {
		list, err := s.Applications.List(t.Context(), f, application.Page{Offset: offset, Size: size})
		if err != nil {
			t.Fatal(err)
		}
		if offset > 0 && list.Total != total {
			t.Fatalf("the total is %d at offset %d, but was %d before", list.Total, offset, total)
		}
		total = list.Total
		for _, row := range list.Rows {
			ids = append(ids, row.ID)
		}
		if len(list.Rows) == 0 {
			return ids, total
		}
	}
}

func TestPagesListEachApplicationOnce(t *testing.T) {
	t.Parallel()
	const n = 2600 // more than the offset above which List looks up the hour first
	s, pool := open(t)
	crowd(t, pool, "job_1", n)
	crowd(t, pool, "job_2", 10)
	// Give several applications equal times, and leave an hour without applications.
	if _, err := pool.Exec(t.Context(), `UPDATE applications SET applied_at = '2026-01-01 12:30Z' WHERE job_id = 'job_1'
		AND applied_at BETWEEN '2026-01-01 11:00Z' AND '2026-01-01 12:59:59Z'`); err != nil {
		t.Fatal(err)
	}
	if _, err := pool.Exec(t.Context(), `UPDATE application_search s SET applied_at = a.applied_at FROM applications a WHERE a.number = s.application;
		TRUNCATE application_counts;
		INSERT INTO application_counts SELECT job_id, '', date_trunc('hour', applied_at, 'UTC'), count(*) FROM applications GROUP BY 1, 3
		UNION ALL SELECT job_id, status, date_trunc('hour', applied_at, 'UTC'), count(*) FROM applications GROUP BY 1, 2, 3`); err != nil {
		t.Fatal(err)
	}
	// Search texts that occur in many rows, but in few or none of the newest rows. A walk finds
	// them late, or finds only part of a page.
	for text, newest := range map[string]int{" veteran": 0, " returner": 10} {
		if _, err := pool.Exec(t.Context(), `UPDATE application_search s SET search_text = s.search_text || $1
			FROM (SELECT number, row_number() OVER (ORDER BY applied_at DESC) AS place FROM applications WHERE job_id = 'job_1') a
			WHERE s.application = a.number AND (a.place <= $2 OR a.place > 1800)`, text, newest); err != nil {
			t.Fatal(err)
		}
	}
	for _, f := range []application.Filter{
		{JobID: "job_1", Query: "veteran"}, {JobID: "job_1", Query: "veteran", Status: application.Rejected},
		{JobID: "job_1", Query: "returner"}, {JobID: "job_1", Query: "returner", Status: application.Reviewed},
		{JobID: "job_1"}, {JobID: "job_1", Status: application.Reviewed}, {JobID: "job_1", Status: application.Offered}, {JobID: "job_9"},
		{JobID: "job_1", Query: "sara"}, {JobID: "job_1", Query: "muller 12", Status: application.Reviewed}, {JobID: "job_1", Query: "nobody"},
	} {
		rows, err := pool.Query(t.Context(), `SELECT a.id FROM applications a JOIN application_search s ON s.application = a.number
			WHERE a.job_id = $1 AND ($2 = '' OR a.status = $2) AND strpos(s.search_text, $3) > 0
			ORDER BY a.applied_at DESC, a.id DESC`, f.JobID, string(f.Status), f.Query)
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
		for _, size := range []int32{100, 17} { // the sizes put applications with equal times on different pages
			got, total := walk(t, s, f, size)
			if int(total) != len(want) || !reflect.DeepEqual(got, want) {
				t.Errorf("%+v in pages of %d: %d rows of %d, want %d", f, size, len(got), total, len(want))
			}
		}
	}
}

// TestPageCutsTiesByID creates more applications with the same time than a walk would read.
func TestPageCutsTiesByID(t *testing.T) {
	t.Parallel()
	s, pool := open(t)
	crowd(t, pool, "job_1", 500)
	for _, table := range []string{"applications", "application_search"} {
		if _, err := pool.Exec(t.Context(), "UPDATE "+table+" SET applied_at = $1 WHERE applied_at < $2", start.Add(-minutes(10)), start.Add(-minutes(2))); err != nil {
			t.Fatal(err)
		}
	}
	shuffle(t, pool)
	list, err := s.Applications.List(t.Context(), application.Filter{JobID: "job_1", Query: "example"}, application.Page{Size: 10})
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range list.Rows {
		if row.ID != crowdID("job_1", i) {
			t.Errorf("row %d is %s, in the wrong order", i, row.ID)
		}
	}
	if len(list.Rows) != 10 || list.Total != 500 {
		t.Errorf("the list has %d rows of %d", len(list.Rows), list.Total)
	}
}

func TestPagePastEndReturnsTotal(t *testing.T) {
	t.Parallel()
	s, pool := open(t)
	crowd(t, pool, "job_1", 30)
	for _, f := range []application.Filter{{JobID: "job_1"}, {JobID: "job_1", Status: application.Applied}, {JobID: "job_1", Query: "example"}} {
		want := int32(30)
		if f.Status != "" {
			want = 10
		}
		for _, offset := range []int64{30, 500, 5000, 1 << 40} {
			list, err := s.Applications.List(t.Context(), f, application.Page{Offset: offset, Size: 100})
			if err != nil || len(list.Rows) != 0 || list.Total != want {
				t.Errorf("%+v at offset %d: %d rows of %d, %v", f, offset, len(list.Rows), list.Total, err)
			}
		}
	}
}

// TestHitsAreOrderedLikeList makes the search walk if all rows are hits, and collect the hits if
// only a few are.
func TestHitsAreOrderedLikeList(t *testing.T) {
	t.Parallel()
	s, pool := open(t)
	crowd(t, pool, "job_1", 5100)
	for _, status := range []application.Status{"", application.Rejected} {
		want, _ := walk(t, s, application.Filter{JobID: "job_1", Status: status}, 1000)
		got, total := walk(t, s, application.Filter{JobID: "job_1", Status: status, Query: "example"}, 1000)
		if int(total) != len(want) || !reflect.DeepEqual(got, want) {
			t.Errorf("%q: %d hits of %d, want %d", status, len(got), total, len(want))
		}
	}
}

func found(t *testing.T, s *postgres.Stores, query string) (names []string) {
	t.Helper()
	for _, row := range all(t, s, application.Filter{JobID: "job_1", Query: application.Fold(query)}).Rows {
		names = append(names, row.Candidate.PersonID)
	}
	return names
}

func TestSearchTreatsWildcardsLiterally(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	for i, name := range []string{"100% Sara", "Sara_Haddad", `Sara\Omar`, "SaraXHaddad", "فاطِمة"} {
		p := full(fmt.Sprintf("usr_%d", i), "")
		p.Name, p.Email = name, fmt.Sprintf("u%d@example.com", i)
		if err := s.Profiles.CreateProfile(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		apply(t, s, applying(p.ID, "job_1", start.Add(time.Duration(i)*time.Minute)))
	}
	for query, want := range map[string][]string{
		"%":         {"usr_0"},
		"0% s":      {"usr_0"},
		"_":         {"usr_1"},
		"a_h":       {"usr_1"},
		`\`:         {"usr_2"},
		`sara\o`:    {"usr_2"},
		"ａＲＡxh":     {"usr_3"},
		"u3@EXAMPL": {"usr_3"},
		"فاطمه":     {"usr_4"},
		"main cv":   {"usr_4", "usr_3", "usr_2", "usr_1", "usr_0"},
		`\%`:        nil,
		"sara%":     nil,
	} {
		if got := found(t, s, query); !reflect.DeepEqual(got, want) {
			t.Errorf("%q finds %v, want %v", query, got, want)
		}
	}
}

func TestSearchUsesCurrentNameAndEmail(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	p := add(t, s, "usr_1", "sara")
	n := applying("usr_1", "job_1", start)
	n.CvID = addCv(t, s, "usr_1", "Ingénieur", start).ID
	apply(t, s, n)
	p.Name, p.Email = "Ｎoor", "noor@example.org"
	if _, err := s.Profiles.UpdateProfile(t.Context(), p, []profile.Field{profile.FieldName}); err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]int{"noor": 1, "noor@example.org": 0, "person.name": 0, "person.email": 1, "INGENIEUR": 1} {
		if got := found(t, s, query); len(got) != want {
			t.Errorf("after a change of the name, %q finds %v", query, got)
		}
	}
	if _, err := s.Profiles.UpdateProfile(t.Context(), p, []profile.Field{profile.FieldEmail, profile.FieldHeadline}); err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]int{"noor@example.org": 1, "person.email": 0, "ingenieur": 1} {
		if got := found(t, s, query); len(got) != want {
			t.Errorf("after a change of the email address, %q finds %v", query, got)
		}
	}
	if got := all(t, s, application.Filter{JobID: "job_1"}).Rows[0].Candidate; got.Name != "Ｎoor" || got.Email != "noor@example.org" {
		t.Errorf("the candidate is listed as %+v", got)
	}
}

func TestSearchFindsPartsOfEmail(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	for i, email := range []string{"sara@example.com", "sara@example.org", "msara@example.com", "jo@example.com"} {
		p := full(fmt.Sprintf("usr_%d", i), "")
		p.Email = email
		if err := s.Profiles.CreateProfile(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		apply(t, s, applying(p.ID, "job_1", start.Add(time.Duration(-i)*time.Minute)))
	}
	for query, want := range map[string][]string{
		"sara@example.com": {"usr_0", "usr_2"}, "SARA@example.o": {"usr_1"}, "sara@": {"usr_0", "usr_1", "usr_2"},
		"jo@example.com": {"usr_3"}, "o@e": {"usr_3"}, "@example.com": {"usr_0", "usr_2", "usr_3"},
		"sara@example.com@": nil, "sara@@example.com": nil, "sara@exa%": nil, "sar_@example.com": nil,
	} {
		if got := found(t, s, query); !reflect.DeepEqual(got, want) {
			t.Errorf("%s finds %v, want %v", query, got, want)
		}
	}
}

// TestSearchReadsOneSnapshot finds fewer rows than were counted if the search does not use a
// snapshot.
func TestSearchReadsOneSnapshot(t *testing.T) {
	t.Parallel()
	s, pool := open(t)
	const n = 600
	crowd(t, pool, "job_1", n)
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := range n {
			at := start.Add(time.Hour)
			if _, err := s.Applications.Move(t.Context(), crowdID("job_1", i), application.Withdrawn, at, func(application.Status) error { return nil }); err != nil {
				t.Error(err)
				return
			}
		}
	})
	f := application.Filter{JobID: "job_1", Query: "main cv", Status: application.Reviewed}
	for total := int32(n); total > 0 && !t.Failed(); {
		list, err := s.Applications.List(t.Context(), f, application.Page{Size: 1000})
		if err != nil {
			t.Fatal(err)
		}
		if total = list.Total; int(total) != len(list.Rows) {
			t.Errorf("the search returns %d rows but counted %d", len(list.Rows), total)
		}
	}
	wg.Wait()
}

func TestRowsReportPhoto(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	for address, want := range map[string]bool{"": false, "https://img.example/p.png": true, profile.KeptPhoto: true} {
		p := full("usr_"+address, "")
		p.AvatarURL = address
		if err := s.Profiles.CreateProfile(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		apply(t, s, applying(p.ID, p.ID, start))
		if got := all(t, s, application.Filter{JobID: p.ID}).Rows[0].Candidate.HasPhoto; got != want {
			t.Errorf("avatar URL %q: has a photo: %t", address, got)
		}
	}
}
