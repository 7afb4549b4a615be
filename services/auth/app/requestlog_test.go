package app_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/id"
	"vitae.internal/pkg/redisx"
	"vitae.internal/pkg/testkit"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	"vitae.internal/services/auth/internal/activity/usage"
	"vitae.internal/services/auth/internal/geoip"
	"vitae.internal/services/auth/internal/postgres"
)

// entry returns a log entry with every field set, for a request of an account.
func entry(account, requestID string, at time.Time) *authv1.RequestEntry {
	return &authv1.RequestEntry{
		At: timestamppb.New(at), RequestId: requestID, AccountId: account, AppId: "app_1", ApiKeyId: "key_1",
		Method: "GET", Route: "/v1/jobs/{jobId}", Status: 404, Latency: durationpb.New(1500 * time.Microsecond), Bytes: 321, Metered: true,
	}
}

func (w *world) log(entries ...*authv1.RequestEntry) {
	w.Helper()
	w.report(&authv1.RecordRequestsRequest{Entries: entries})
}

// logged returns the request ids on a page of the log.
func (w *world) logged(req *authv1.ListRequestsRequest) (ids []string) {
	w.Helper()
	resp, err := w.ledger.ListRequests(w.Context(), req)
	w.must(err)
	for _, e := range resp.GetRequests() {
		ids = append(ids, e.GetRequestId())
	}
	return ids
}

// retain runs a single round of the job that maintains the request log.
func (w *world) retain() {
	w.Helper()
	w.must(w.retention()(w.Context()))
}

func (w *world) retention() func(context.Context) error {
	w.Helper()
	store := w.stores().Usage
	service, err := usage.NewService(usage.Config{Store: store, Partitions: store, Countries: &geoip.Database{}, Clock: w.clock, Log: slog.New(slog.DiscardHandler)})
	w.must(err)
	return service.RetentionJob().Round
}

func (w *world) partitions() (names []string) {
	w.Helper()
	w.must(w.db.QueryRow(w.Context(), `SELECT coalesce(array_agg(inhrelid::regclass::text ORDER BY 1), '{}') FROM pg_inherits
		WHERE inhparent = 'request_log'::regclass`).Scan(&names))
	return names
}

func TestPageTokensAreChecked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	account := w.account()
	w.log(entry(account, "req_1", started), entry(account, "req_2", started))
	resp, err := w.ledger.ListRequests(t.Context(), &authv1.ListRequestsRequest{AccountId: account, PageSize: 1})
	w.must(err)
	good := resp.GetNextPageToken()
	if ids := w.logged(&authv1.ListRequestsRequest{AccountId: account, PageToken: good}); !slices.Equal(ids, []string{"req_1"}) {
		t.Errorf("the second page contains %v", ids)
	}
	for _, token := range []string{"x", good[:8], good + "=", "AAAAAAAAAAAA", "_________________", "AAAAAAAAAAAA" + "AAAA", "'; DROP TABLE"} {
		_, err := w.ledger.ListRequests(t.Context(), &authv1.ListRequestsRequest{AccountId: account, PageToken: token})
		wantCode(t, err, "INVALID_ARGUMENT")
	}
	_, err = w.ledger.ListRequests(t.Context(), &authv1.ListRequestsRequest{AccountId: "dev_none"})
	wantCode(t, err, "ACCOUNT_NOT_FOUND")
	if ids := w.logged(&authv1.ListRequestsRequest{AccountId: w.account()}); len(ids) != 0 {
		t.Errorf("the other account's log contains %v", ids)
	}
}

func TestPartitionsExistAtMidnight(t *testing.T) {
	t.Parallel()
	// This database has no partitions yet.
	w := newWorldWith(t, testkit.OwnedDatabase(t, "authbare", postgres.Prepare), redisx.Config{URL: testkit.Redis(t)})
	account := w.account()
	w.retain()
	if got := w.partitions(); !slices.Equal(got, []string{"request_log_20260301", "request_log_20260302", "request_log_20260303", "request_log_20260304"}) {
		t.Fatalf("partitions %v", got)
	}
	midnight := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	w.clock.Advance(midnight.Sub(started) - time.Microsecond)
	w.log(entry(account, "before", midnight.Add(-time.Microsecond)), entry(account, "after", midnight))
	w.clock.Advance(time.Microsecond)
	w.log(entry(account, "late", midnight.Add(-time.Second)))
	if ids := w.logged(&authv1.ListRequestsRequest{AccountId: account}); !slices.Equal(ids, []string{"after", "before", "late"}) {
		t.Errorf("logged %v", ids)
	}
	w.retain()
	if got := w.partitions(); len(got) != 5 || got[4] != "request_log_20260305" {
		t.Errorf("partitions a day later: %v", got)
	}
}

func TestEntryWithoutPartitionIsDropped(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	account := w.account()
	w.clock.Advance(10 * 24 * time.Hour) // the retention job has not run since then
	now := w.clock.Now()
	w.report(&authv1.RecordRequestsRequest{
		Counts: []*authv1.AccountUsage{used(account, "2026-03-11", "app_1", "", 2)},
		Entries: []*authv1.RequestEntry{
			entry(account, "now", now), entry(account, "waited", now.Add(-5*24*time.Hour)), entry(account, "ahead", now.Add(20*time.Hour)),
			entry(account, "ancient", now.Add(-32*24*time.Hour)), entry(account, "future", now.Add(48*time.Hour)), entry(account, "1970", time.Unix(0, 0)),
		},
	})
	if ids := w.logged(&authv1.ListRequestsRequest{AccountId: account}); !slices.Equal(ids, []string{"ahead", "now", "waited"}) {
		t.Errorf("logged %v", ids)
	}
	if n := w.spent(account, "2026-03-11"); n != 1 {
		t.Errorf("%d requests were charged, want 1", n)
	}
}

// The test's clock is behind Postgres's clock, which determines the rows to drop.
func TestRequestsAreDroppedAfter30Days(t *testing.T) {
	t.Parallel()
	const day = 24 * time.Hour
	w := newWorld(t)
	account := w.account()
	began := time.Now().UTC().Truncate(day).Add(-32*day + 9*time.Hour)
	w.clock.Advance(began.Sub(w.clock.Now()))
	w.retain()
	w.log(entry(account, "first", began), entry(account, "later", began.Add(10*time.Hour)))
	w.clock.Advance(30 * day)
	w.retain()
	if ids := w.logged(&authv1.ListRequestsRequest{AccountId: account}); !slices.Equal(ids, []string{"later", "first"}) {
		t.Errorf("after 30 days: %v", ids)
	}
	w.clock.Advance(time.Second)
	if ids := w.logged(&authv1.ListRequestsRequest{AccountId: account}); !slices.Equal(ids, []string{"later"}) {
		t.Errorf("a second later: %v", ids)
	}
	w.clock.Advance(day)
	w.retain()
	const name = "request_log_20060102"
	if got := w.partitions(); slices.Contains(got, began.Format(name)) || !slices.Contains(got, began.Add(day).Format(name)) {
		t.Errorf("partitions after 31 days: %v", got)
	}
}

func TestReplicasMaintainTheLogTogether(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	account := w.account()
	ctx, stop := context.WithCancel(t.Context())
	var recording, keeping sync.WaitGroup
	n := 0
	recording.Go(func() {
		for ctx.Err() == nil {
			_, err := w.usage.RecordRequests(t.Context(), &authv1.RecordRequestsRequest{
				BatchId: id.New("bat"), Entries: []*authv1.RequestEntry{entry(account, fmt.Sprint("req_", n), w.clock.Now())},
			})
			if err != nil {
				t.Error(err)
				return
			}
			n++
		}
	})
	for range 40 {
		for range 3 {
			round := w.retention()
			keeping.Go(func() {
				if err := round(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		keeping.Wait()
		w.clock.Advance(12 * time.Hour)
	}
	stop()
	recording.Wait()
	w.retain()
	var rows int
	w.must(w.db.QueryRow(t.Context(), "SELECT count(*) FROM request_log").Scan(&rows))
	if got := w.partitions(); len(got) != 24 || rows != n { // 20 past days, today and three days ahead
		t.Errorf("%d partitions, %d of %d requests: %v", len(got), rows, n, got)
	}
}
