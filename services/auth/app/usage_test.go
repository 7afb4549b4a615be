package app_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"vitae.internal/pkg/id"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// used returns usage of which half of the requests are metered.
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

// lines returns usage rows, each formatted as day, app, key, requests, metered and failed.
func (w *world) lines(req *authv1.ListUsageRequest) (lines []string) {
	w.Helper()
	resp, err := w.ledger.ListUsage(w.Context(), req)
	w.must(err)
	for _, u := range resp.GetUsage() {
		lines = append(lines, fmt.Sprint(u.GetDay(), " ", u.GetAppId(), " ", u.GetApiKeyId(), " ", u.GetRequests(), " ", u.GetMetered(), " ", u.GetFailed()))
	}
	return lines
}

// Every batch writes the same rows, in a random order.
func TestConcurrentBatchesDoNotDeadlock(t *testing.T) {
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
			t.Errorf("%d requests were charged, want %d", n, senders*batches*4)
		}
	}
	var deadlocks int
	w.must(w.db.QueryRow(t.Context(), "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()").Scan(&deadlocks))
	if deadlocks > 0 {
		t.Errorf("%d deadlocks occurred", deadlocks)
	}
}

func TestUsageOfUnknownAccountIsRejected(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	account := w.account()
	for code, req := range map[string][]*authv1.ListUsageRequest{
		"ACCOUNT_NOT_FOUND": {{AccountId: "dev_none"}},
		"INVALID_ARGUMENT": {
			{AccountId: account, FromDay: "2026-13-01"}, {AccountId: account, ToDay: "yesterday"}, {AccountId: account, FromDay: "2026-03-02"},
			{AccountId: account, FromDay: "2025-11-29", ToDay: "2026-03-01"}, {AccountId: account, FromDay: "2026-03-03", ToDay: "2026-03-02"}, {},
		},
	} {
		for _, r := range req {
			_, err := w.ledger.ListUsage(t.Context(), r)
			wantCode(t, err, code)
		}
	}
	if got := w.lines(&authv1.ListUsageRequest{AccountId: account, FromDay: "2025-11-30", ToDay: "2026-03-01"}); len(got) != 0 { // 92 days
		t.Errorf("an account without requests has the usage %v", got)
	}
	_, err := w.usage.GetSpent(t.Context(), &authv1.GetSpentRequest{AccountId: account, Day: "2026-02-30"})
	wantCode(t, err, "INVALID_ARGUMENT")
}
