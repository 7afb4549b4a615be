package activity_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"vitae.internal/pkg/id"
	"vitae.internal/services/auth/internal/activity/requestlog"
	"vitae.internal/services/auth/internal/activity/usage"
	"vitae.internal/services/auth/internal/authtest"
)

func apply(w *authtest.World, b usage.Batch) {
	w.Helper()
	if b.ID == "" {
		b.ID = id.New("bat")
	}
	w.Must(w.Stores.Usage.Apply(w.Context(), b, w.Clock.Now()))
}

func TestUsageIsSummedByDayAppAndKey(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	a, b := w.Confidential().AccountID, w.Confidential().AccountID
	today := usage.DayOf(w.Clock.Now())
	yesterday := today.AddDate(0, 0, -1)
	count := func(account string, day time.Time, app, key string, n int64) usage.Count {
		return usage.Count{AccountID: account, Day: day, AppID: app, APIKeyID: key, Requests: 8 * n, Metered: 2 * n, Failed: n, Refused: 3 * n, Redirected: 5 * n, ServerFailed: 7 * n}
	}
	first := usage.Batch{ID: id.New("bat"), Counts: []usage.Count{
		count(a, yesterday, "app_2", "key_1", 1), count(a, today, "app_2", "key_2", 2), count(a, today, "app_2", "key_1", 4), count(a, today, "app_1", "", 8),
		count(b, today, "app_1", "", 16), count("dev_none", today, "app_1", "", 32),
		{AccountID: b, Day: yesterday, AppID: "app_1", Requests: 1}, // this request is not charged to the quota
	}}
	apply(w, first)
	apply(w, first) // a gateway that got no response sends its report again
	apply(w, usage.Batch{Counts: []usage.Count{count(a, today, "app_1", "", 64), count(a, today, "app_1", "", 128)}})
	all := []usage.Count{count(a, today, "app_1", "", 200), count(a, today, "app_2", "key_1", 4), count(a, today, "app_2", "key_2", 2), count(a, yesterday, "app_2", "key_1", 1)}
	for name, c := range map[string]struct {
		account  string
		from, to time.Time
		app, key string
		want     []usage.Count
	}{
		"both days": {a, yesterday, today, "", "", all}, "today": {a, today, today.AddDate(0, 0, 1), "", "", all[:3]}, "yesterday": {a, yesterday.AddDate(0, 0, -1), yesterday, "", "", all[3:]},
		"app": {a, yesterday, today, "app_2", "", all[1:]}, "key": {a, yesterday, today, "", "key_2", all[2:3]}, "token": {a, yesterday, today, "", requestlog.Token, all[:1]},
		"other account":   {b, yesterday, today, "", "", []usage.Count{count(b, today, "app_1", "", 16), {AccountID: b, Day: yesterday, AppID: "app_1", Requests: 1}}},
		"unknown account": {"dev_none", yesterday, today, "", "", nil},
	} {
		got, err := w.Stores.Usage.Usage(t.Context(), usage.Listing{AccountID: c.account, AppID: c.app, APIKeyID: c.key, From: c.from, To: c.to, ByApp: true, ByKey: true})
		w.Must(err)
		if !slices.EqualFunc(got, c.want, func(a, b usage.Count) bool { a.Day, b.AccountID = a.Day.UTC(), ""; return a == b }) {
			t.Errorf("%s:\ngot  %+v\nwant %+v", name, got, c.want)
		}
	}
	for _, c := range []struct {
		account string
		day     time.Time
		want    int64
	}{{a, today, 412}, {a, yesterday, 2}, {b, today, 32}, {b, yesterday, 0}, {"dev_none", today, 0}} {
		if n, err := w.Stores.Usage.Spent(t.Context(), c.account, c.day); err != nil || n != c.want {
			t.Errorf("%s was charged %d requests on %v, want %d, %v", c.account, n, c.day, c.want, err)
		}
	}
	if n := len(authtest.Names(w, "SELECT account_id || day FROM usage_account_days")); n != 3 {
		t.Errorf("%d days with charged requests, want 3", n)
	}
	for account, want := range map[string]bool{a: true, "dev_none": false} {
		if exists, err := w.Stores.Usage.AccountExists(t.Context(), account); err != nil || exists != want {
			t.Errorf("%s exists: %t, %v", account, exists, err)
		}
	}
}

func TestBatchIsAppliedCompletelyOrNotAtAll(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	a, today := w.Confidential().AccountID, usage.DayOf(w.Clock.Now())
	batch := usage.Batch{
		ID: id.New("bat"), Counts: []usage.Count{{AccountID: a, Day: today, AppID: "app_1", Requests: 1, Metered: 1}},
		Entries: []requestlog.Entry{{At: w.Clock.Now(), RequestID: "req_1", AccountID: a}},
	}
	spent := func(want int64) {
		t.Helper()
		if n, err := w.Stores.Usage.Spent(t.Context(), a, today); err != nil || n != want {
			t.Errorf("%d requests were charged, want %d, %v", n, want, err)
		}
	}
	if err := w.Stores.Usage.Apply(t.Context(), batch, w.Clock.Now()); !errors.Is(err, usage.ErrNoPartition) {
		t.Errorf("without a partition: %v", err)
	}
	spent(0)
	w.Must(w.Stores.Usage.MakePartitions(t.Context(), today, today))
	apply(w, batch)
	spent(1)
	apply(w, usage.Batch{}) // an empty batch is accepted
	w.Must(w.Stores.Usage.DropPartitions(t.Context(), today))
	if n := len(authtest.Names(w, "SELECT request_id FROM request_log")); n != 1 {
		t.Errorf("the partition of the first day to keep was dropped")
	}
	w.Must(w.Stores.Usage.MakePartitions(t.Context(), today.AddDate(0, 0, -3), today.AddDate(0, 0, 2)))
	w.Must(w.Stores.Usage.DropPartitions(t.Context(), today))
	want := []string{today.Format("20060102"), today.AddDate(0, 0, 1).Format("20060102"), today.AddDate(0, 0, 2).Format("20060102")}
	if got := authtest.Names(w, "SELECT right(inhrelid::regclass::text, 8) FROM pg_inherits WHERE inhparent = 'request_log'::regclass"); !slices.Equal(got, want) {
		t.Errorf("partitions %v, want %v", got, want)
	}
}

func TestOldestBatchesAreDeletedFirst(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	for i, name := range []string{"third", "first", "second", "at the end"} {
		_, err := w.Pool.Exec(t.Context(), "INSERT INTO usage_batches VALUES ($1, $2)", name, w.Clock.Now().Add([]time.Duration{2, 0, 1, 3}[i]*time.Microsecond))
		w.Must(err)
	}
	end := w.Clock.Now().Add(3 * time.Microsecond)
	for _, c := range []struct {
		deleted int64
		left    []string
	}{{2, []string{"at the end", "third"}}, {1, []string{"at the end"}}, {0, []string{"at the end"}}} {
		n, err := w.Stores.Usage.DeleteBatches(t.Context(), end, 2)
		if left := authtest.Names(w, "SELECT id FROM usage_batches"); err != nil || n != c.deleted || !slices.Equal(left, c.left) {
			t.Errorf("%d deleted, %v are left, want %d and %v, %v", n, left, c.deleted, c.left, err)
		}
	}
}
