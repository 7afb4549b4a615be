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

// countedApplications reads the stored counts; loggedApplications counts the log entries.
const (
	countedApplications = "SELECT concat_ws(' ', application_id, app_id, day, reads, last_at) FROM application_reads ORDER BY 1"
	loggedApplications  = `SELECT concat_ws(' ', resource_id, app_id, (at AT TIME ZONE 'UTC')::date, count(*), max(at)) FROM request_log
		WHERE resource_id <> '' AND status < 400 AND method IN ('GET', 'HEAD') AND route = '/v1/candidates/{applicationId}'
		GROUP BY resource_id, app_id, (at AT TIME ZONE 'UTC')::date ORDER BY 1`
)

// logOfApplications returns successful and failed requests that were made with keys on two days. Some of them read
// applications.
func logOfApplications(w *authtest.World, account, app string) []requestlog.Entry {
	var all []requestlog.Entry
	routes := []string{"/v1/candidates/{applicationId}", "/v1/candidates/{applicationId}", "/v1/jobs/{jobId}/candidates", "/v1/jobs/{jobId}"}
	for i := range 200 {
		e := requestlog.Entry{
			At: w.Clock.Now().Add(-time.Duration(i) * 11 * time.Minute), RequestID: fmt.Sprintf("req_%03d", i), AccountID: account, AppID: app,
			APIKeyID: "key_1", Method: "GET", Route: routes[i%len(routes)], ResourceID: fmt.Sprintf("apl_%d", i%3), Status: []int32{200, 200, 304, 403, 429}[i%5],
			MinuteLeft: requestlog.Unknown, DayLeft: requestlog.Unknown,
		}
		if i%13 == 0 {
			e.Method = "HEAD"
		}
		if i%17 == 0 {
			e.ResourceID = ""
		}
		if e.Route == "/v1/candidates/{applicationId}" {
			e.Reads = "application"
		}
		all = append(all, e)
	}
	return all
}

// Applicants and partners must see the same numbers: both are counts of the requests in the log.
func TestApplicantsReadsMatchTheLog(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	_, a, _, _ := authtest.Connected(w, authtest.Everything...)
	w.Must(w.Stores.Usage.MakePartitions(t.Context(), usage.DayOf(w.Clock.Now()).AddDate(0, 0, -2), usage.DayOf(w.Clock.Now()).AddDate(0, 0, 1)))
	for i, batch := range slices.Collect(slices.Chunk(logOfApplications(w, a.AccountID, a.App.ID), 33)) {
		for range 2 { // a repeated batch is counted once
			w.Must(w.Stores.Usage.Apply(t.Context(), usage.Batch{ID: fmt.Sprint(i), Entries: batch}, w.Clock.Now()))
		}
	}
	if got, want := authtest.Names(w, countedApplications), authtest.Names(w, loggedApplications); len(want) < 6 || !slices.Equal(got, want) {
		t.Errorf("counted %v,\nlogged %v", got, want)
	}
	reads, err := w.Stores.Usage.ApplicationReads(t.Context(), []string{"apl_1", "apl_2", "apl_none"}, time.Time{})
	w.Must(err)
	var total, want int64
	for i, r := range reads {
		total += r.Count
		if r.AppName != a.Name || r.ApplicationID == "apl_0" {
			t.Errorf("%+v", r)
		}
		if i > 0 && reads[i-1].ApplicationID == r.ApplicationID && r.Day.After(reads[i-1].Day) {
			t.Errorf("%v after %v", r.Day, reads[i-1].Day)
		}
	}
	w.Must(w.Pool.QueryRow(t.Context(), "SELECT sum(reads)::bigint FROM application_reads WHERE application_id IN ('apl_1', 'apl_2')").Scan(&want))
	if total != want || total == 0 {
		t.Errorf("the applicant sees %d reads, want %d", total, want)
	}
	if later, err := w.Stores.Usage.ApplicationReads(t.Context(), []string{"apl_1"}, usage.DayOf(w.Clock.Now()).AddDate(0, 0, 1)); err != nil || len(later) != 0 {
		t.Errorf("reads since tomorrow: %v, %v", later, err)
	}
}
