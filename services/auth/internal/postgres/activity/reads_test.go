package activity_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"vitae.internal/services/auth/internal/activity/requestlog"
	"vitae.internal/services/auth/internal/activity/usage"
	"vitae.internal/services/auth/internal/authtest"
)

// counted reads the stored counts, logged counts the log entries, and readKind determines what kind of data a
// request reads.
const (
	readKind = `CASE WHEN method IN ('GET', 'HEAD') THEN CASE route WHEN '/v1/me' THEN 'identity' WHEN '/v1/me/cv' THEN 'cv' WHEN '/v1/me/cv.pdf' THEN 'pdf'
		WHEN '/v1/cv-links/{token}' THEN 'link' WHEN '/v1/photos/{token}' THEN 'photo' WHEN '/api/oauth/profile' THEN 'profile' END END`
	counted = "SELECT concat_ws(' ', connection_id, day, kind, reads, last_at) FROM connection_reads ORDER BY 1"
	logged  = `SELECT concat_ws(' ', connection_id, (at AT TIME ZONE 'UTC')::date, ` + readKind + `, count(*), max(at)) FROM request_log
		WHERE connection_id <> '' AND status < 400 AND ` + readKind + ` IS NOT NULL
		GROUP BY connection_id, (at AT TIME ZONE 'UTC')::date, ` + readKind + ` ORDER BY 1`
)

// logOfReads returns successful and failed requests on two days, through two connections and with a key. They cover
// every route that reads personal data, and some that don't.
func logOfReads(w *authtest.World, account, app string, connections ...string) []requestlog.Entry {
	var all []requestlog.Entry
	routes := []struct{ route, reads string }{
		{"/v1/me", "identity"}, {"/v1/me/cv", "cv"}, {"/v1/me/cv.pdf", "pdf"}, {"/v1/cv-links/{token}", "link"}, {"/v1/photos/{token}", "photo"},
		{"/api/oauth/profile", "profile"}, {"/oauth/token", ""}, {"/v1/jobs/{jobId}", ""},
	}
	for i := range 200 {
		e := requestlog.Entry{
			At: w.Clock.Now().Add(-time.Duration(i) * 11 * time.Minute), RequestID: fmt.Sprintf("req_%03d", i), AccountID: account, AppID: app,
			ConnectionID: connections[i%len(connections)], Method: "GET", Route: routes[i%len(routes)].route, Status: []int32{200, 200, 304, 403, 429, 503}[i%6],
			Reads: routes[i%len(routes)].reads, MinuteLeft: requestlog.Unknown, DayLeft: requestlog.Unknown,
		}
		if i%13 == 0 {
			e.Method = "HEAD"
		}
		if e.ConnectionID == "" {
			e.APIKeyID = "key_1"
		}
		all = append(all, e)
	}
	return all
}

// People and partners must see the same numbers: both are counts of the requests in the log.
func TestPersonsReadsMatchTheLog(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	p, a, c, _ := authtest.Connected(w, authtest.Everything...)
	entries := logOfReads(w, a.AccountID, a.App.ID, c.ID, "con_other", "")
	w.Must(w.Stores.Usage.MakePartitions(t.Context(), usage.DayOf(w.Clock.Now()).AddDate(0, 0, -2), usage.DayOf(w.Clock.Now()).AddDate(0, 0, 1)))
	for i, batch := range slices.Collect(slices.Chunk(entries, 33)) {
		for range 2 { // a repeated batch is counted once
			w.Must(w.Stores.Usage.Apply(t.Context(), usage.Batch{ID: fmt.Sprint(i), Entries: batch}, w.Clock.Now()))
		}
	}
	if got, want := authtest.Names(w, counted), authtest.Names(w, logged); len(want) < 10 || !slices.Equal(got, want) {
		t.Errorf("counted %v,\nlogged %v", got, want)
	}
	reads, err := w.Stores.Connections.Reads(t.Context(), p, c.ID, time.Time{})
	w.Must(err)
	var total int64
	for i, r := range reads {
		total += r.Count
		if i > 0 && r.Day.After(reads[i-1].Day) {
			t.Errorf("%v after %v", r.Day, reads[i-1].Day)
		}
	}
	var want int64
	w.Must(w.Pool.QueryRow(t.Context(), "SELECT sum(reads)::bigint FROM connection_reads WHERE connection_id = $1", c.ID).Scan(&want))
	if total != want || total == 0 {
		t.Errorf("the person sees %d reads, want %d", total, want)
	}
	if other, err := w.Stores.Connections.Reads(t.Context(), w.Person(), c.ID, time.Time{}); err != nil || len(other) != 0 {
		t.Errorf("a different person sees %v, %v", other, err)
	}
}

// The stored countries must match the requests in the log, and must be deleted together with the reads to which they
// belong.
func TestCountriesMatchLoggedReads(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	p, a, c, _ := authtest.Connected(w, authtest.Everything...)
	entries := logOfReads(w, a.AccountID, a.App.ID, c.ID, "con_other", "")
	in := map[string]string{"192.0.2.1": "SA", "192.0.2.2": "DE", "192.0.2.3": ""}
	for i := range entries {
		entries[i].ClientAddress = fmt.Sprint("192.0.2.", i%3+1)
		entries[i].Country = in[entries[i].ClientAddress]
	}
	w.Must(w.Stores.Usage.MakePartitions(t.Context(), usage.DayOf(w.Clock.Now()).AddDate(0, 0, -2), usage.DayOf(w.Clock.Now()).AddDate(0, 0, 1)))
	for i, batch := range slices.Collect(slices.Chunk(entries, 33)) {
		for range 2 { // a repeated batch is counted once
			w.Must(w.Stores.Usage.Apply(t.Context(), usage.Batch{ID: fmt.Sprint(i), Entries: batch}, w.Clock.Now()))
		}
	}
	const (
		kept = "SELECT concat_ws(' ', connection_id, day, kind, country, reads) FROM connection_read_countries ORDER BY 1"
		held = `SELECT concat_ws(' ', connection_id, (at AT TIME ZONE 'UTC')::date, ` + readKind + `, country, count(*))
			FROM request_log JOIN (VALUES ('192.0.2.1', 'SA'), ('192.0.2.2', 'DE')) known (address, country) ON address = client_address
			WHERE connection_id <> '' AND status < 400 AND ` + readKind + ` IS NOT NULL
			GROUP BY connection_id, (at AT TIME ZONE 'UTC')::date, ` + readKind + `, country ORDER BY 1`
	)
	if got, want := authtest.Names(w, kept), authtest.Names(w, held); len(want) < 10 || !slices.Equal(got, want) {
		t.Errorf("stored %v,\nlogged %v", got, want)
	}
	reads, err := w.Stores.Connections.Reads(t.Context(), p, c.ID, time.Time{})
	w.Must(err)
	var from, want int64
	for _, r := range reads {
		for i, f := range r.From {
			from += f.Count
			if i > 0 && f.Count > r.From[i-1].Count {
				t.Errorf("%v before %v", r.From[i-1], f)
			}
		}
	}
	w.Must(w.Pool.QueryRow(t.Context(), "SELECT sum(reads)::bigint FROM connection_read_countries WHERE connection_id = $1", c.ID).Scan(&want))
	if from != want || want == 0 {
		t.Errorf("the person sees %d reads from known countries, want %d", from, want)
	}
	if _, err := w.Stores.Usage.DeleteReads(t.Context(), usage.DayOf(w.Clock.Now()).AddDate(0, 0, 2), 1000); err != nil || len(authtest.Names(w, kept)) != 0 {
		t.Errorf("after the deletion of the reads, %v are left, %v", authtest.Names(w, kept), err)
	}
}
