package app_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"vitae.internal/pkg/id"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// used is usage of an account; half of the requests are metered.
func used(account, day, app, key string, requests int64) *authv1.AccountUsage {
	return &authv1.AccountUsage{AccountId: account, Usage: &authv1.Usage{
		Day: day, AppId: app, ApiKeyId: key, Requests: requests, Metered: requests / 2, Failed: 1,
	}}
}

func (w *world) report(batch *authv1.RecordRequestsRequest) {
	w.Helper()
	if batch.BatchId == "" {
		batch.BatchId = id.New("bat")
	}
	_, err := w.usage.RecordRequests(w.Context(), batch)
	w.must(err)
}

func (w *world) reportCounts(counts ...*authv1.AccountUsage) {
	w.Helper()
	w.report(&authv1.RecordRequestsRequest{Counts: counts})
}

func (w *world) spent(account, day string) int32 {
	w.Helper()
	resp, err := w.usage.GetSpent(w.Context(), &authv1.GetSpentRequest{AccountId: account, Day: day})
	w.must(err)
	return resp.GetRequests()
}

// lines gives the usage of an account in lines of day, app, key, requests, metered, failed.
func (w *world) lines(req *authv1.ListUsageRequest) (lines []string) {
	w.Helper()
	resp, err := w.ledger.ListUsage(w.Context(), req)
	w.must(err)
	for _, u := range resp.GetUsage() {
		lines = append(lines, fmt.Sprint(u.GetDay(), " ", u.GetAppId(), " ", u.GetApiKeyId(), " ", u.GetRequests(), " ", u.GetMetered(), " ", u.GetFailed()))
	}
	return lines
}

func TestUsageIsAddedUpByDayAppAndKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a, b := w.account(), w.account()
	w.reportCounts(
		used(a, "2026-02-28", "app_2", "key_1", 10), used(a, "2026-03-01", "app_2", "key_1", 20),
		used(a, "2026-03-01", "app_1", "", 30), used(a, "2026-03-01", "app_2", "key_2", 40), used(b, "2026-03-01", "app_3", "", 50),
	)
	w.reportCounts(used(a, "2026-03-01", "app_1", "", 6), used(a, "2026-03-01", "app_1", "", 4))
	want := []string{
		"2026-03-01 app_1  40 20 3", "2026-03-01 app_2 key_1 20 10 1", "2026-03-01 app_2 key_2 40 20 1", "2026-02-28 app_2 key_1 10 5 1",
	}
	if got := w.lines(&authv1.ListUsageRequest{AccountId: a}); !slices.Equal(got, want) {
		t.Errorf("listed\n%s", strings.Join(got, "\n"))
	}
	if got := w.lines(&authv1.ListUsageRequest{AccountId: a, FromDay: "2026-02-01", ToDay: "2026-02-28"}); !slices.Equal(got, want[3:]) {
		t.Errorf("February: %v", got)
	}
	if n := w.spent(a, "2026-03-01"); n != 50 {
		t.Errorf("%d spent, want 50", n)
	}
	if w.spent(a, "2026-03-02") != 0 || w.spent("dev_none", "2026-03-01") != 0 {
		t.Error("something was spent where nothing was")
	}
}

func TestBatchThatSeveralReplicasAreSentIsAppliedOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	replicas, account := []*world{w, w.replica(), w.replica()}, w.account()
	for i := range 10 {
		batch := &authv1.RecordRequestsRequest{
			BatchId: id.New("bat"), Counts: []*authv1.AccountUsage{used(account, "2026-03-01", "app_1", "", 2)},
			Entries: []*authv1.RequestEntry{entry(account, fmt.Sprint("req_", i), started)},
		}
		var sent sync.WaitGroup
		for i := range 9 {
			sent.Go(func() {
				if _, err := replicas[i%3].usage.RecordRequests(t.Context(), proto.CloneOf(batch)); err != nil {
					t.Error(err)
				}
			})
		}
		sent.Wait()
	}
	if n := w.spent(account, "2026-03-01"); n != 10 {
		t.Errorf("%d spent, want 10", n)
	}
	if ids := w.logged(&authv1.ListRequestsRequest{AccountId: account}); len(ids) != 10 {
		t.Errorf("logged %v", ids)
	}
}

// Every batch writes the same rows, in a random order.
func TestBatchesThatMeetOnTheSameRowsNeverDeadlock(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	replicas := []*world{w, w.replica()}
	var accounts []string
	for range 5 {
		accounts = append(accounts, w.account())
	}
	const senders, batches = 8, 15
	var sent sync.WaitGroup
	for i := range senders {
		sent.Go(func() {
			for range batches {
				var counts []*authv1.AccountUsage
				for _, account := range accounts {
					for key := range 10 {
						counts = append(counts, used(account, fmt.Sprintf("2026-03-%02d", 1+key%3), "app_1", fmt.Sprint("key_", key), 2))
					}
				}
				rand.Shuffle(len(counts), func(i, j int) { counts[i], counts[j] = counts[j], counts[i] })
				if _, err := replicas[i%2].usage.RecordRequests(t.Context(), &authv1.RecordRequestsRequest{BatchId: id.New("bat"), Counts: counts}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	sent.Wait()
	for _, account := range accounts {
		if n := w.spent(account, "2026-03-01"); n != senders*batches*4 {
			t.Errorf("%d spent, want %d", n, senders*batches*4)
		}
	}
	var deadlocks int
	w.must(w.db.QueryRow(t.Context(), "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()").Scan(&deadlocks))
	if deadlocks > 0 {
		t.Errorf("%d deadlocks", deadlocks)
	}
}

func TestUnknownAccountsArePassedOver(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	account := w.account()
	w.report(&authv1.RecordRequestsRequest{
		Counts:  []*authv1.AccountUsage{used("dev_none", "2026-03-01", "app_1", "", 2), used(account, "2026-03-01", "app_1", "", 2)},
		Entries: []*authv1.RequestEntry{entry("dev_none", "req_1", started), entry(account, "req_2", started)},
	})
	if w.spent(account, "2026-03-01") != 1 || w.spent("dev_none", "2026-03-01") != 0 {
		t.Error("the known account's count is wrong")
	}
	if ids := w.logged(&authv1.ListRequestsRequest{AccountId: account}); !slices.Equal(ids, []string{"req_2"}) {
		t.Errorf("logged %v", ids)
	}
	var rows int
	w.must(w.db.QueryRow(t.Context(), "SELECT count(*) FROM request_log").Scan(&rows))
	if rows != 1 {
		t.Errorf("%d entries", rows)
	}
}

func TestUsageIsRefusedForWhatIsNotThere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	account := w.account()
	for code, req := range map[string][]*authv1.ListUsageRequest{
		"ACCOUNT_NOT_FOUND": {{AccountId: "dev_none"}},
		"INVALID_ARGUMENT": {
			{AccountId: account, FromDay: "2026-13-01"}, {AccountId: account, ToDay: "yesterday"}, {AccountId: account, FromDay: "2026-03-02"},
			{AccountId: account, FromDay: "2025-01-01"}, {AccountId: account, FromDay: "2026-03-03", ToDay: "2026-03-02"}, {},
		},
	} {
		for _, r := range req {
			_, err := w.ledger.ListUsage(t.Context(), r)
			wantCode(t, err, code)
		}
	}
	if got := w.lines(&authv1.ListUsageRequest{AccountId: account}); len(got) != 0 {
		t.Errorf("an account without requests has used %v", got)
	}
	_, err := w.usage.GetSpent(t.Context(), &authv1.GetSpentRequest{AccountId: account, Day: "2026-02-30"})
	wantCode(t, err, "INVALID_ARGUMENT")
}

func TestBatchesAreForgottenADayLater(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	account := w.account()
	old := &authv1.RecordRequestsRequest{BatchId: "bat_old", Counts: []*authv1.AccountUsage{used(account, "2026-03-01", "app_1", "", 2)}}
	w.report(old)
	_, err := w.db.Exec(t.Context(), "INSERT INTO usage_batches SELECT 'bat_' || n, $1 FROM generate_series(1, 2500) n", started)
	w.must(err)
	w.clock.Advance(23 * time.Hour)
	w.report(&authv1.RecordRequestsRequest{BatchId: "bat_new"})
	w.retain()
	w.report(old)
	if n := w.spent(account, "2026-03-01"); n != 1 {
		t.Errorf("a batch that was sent again within a day gives %d, want 1", n)
	}
	w.clock.Advance(2 * time.Hour)
	w.retain()
	var left []string
	w.must(w.db.QueryRow(t.Context(), "SELECT array_agg(id) FROM usage_batches").Scan(&left))
	if !slices.Equal(left, []string{"bat_new"}) {
		t.Errorf("%d are left", len(left))
	}
}
