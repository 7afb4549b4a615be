package platform_test

import (
	"slices"
	"testing"
	"time"

	"vitae.internal/pkg/id"
	"vitae.internal/services/auth/internal/activity/requestlog"
	"vitae.internal/services/auth/internal/activity/usage"
	"vitae.internal/services/auth/internal/authtest"
)

// uses applies a batch in which keys were used at the given times.
func uses(w *authtest.World, a authtest.App, at map[string]time.Time) error {
	b := usage.Batch{ID: id.New("bat")}
	for key, t := range at {
		b.Entries = append(b.Entries, requestlog.Entry{At: t, RequestID: id.New("req"), AccountID: a.AccountID, AppID: a.App.ID, APIKeyID: key})
	}
	return w.Stores.Usage.Apply(w.Context(), b, w.Clock.Now())
}

func TestKeyUseIsRecordedEveryHalfMinute(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	a := w.Confidential()
	w.Must(w.Stores.Usage.MakePartitions(t.Context(), usage.DayOf(w.Clock.Now()), usage.DayOf(w.Clock.Now())))
	first, _ := w.Key(a, "jobs:read")
	second, _ := w.Key(a, "jobs:read")
	idle, _ := w.Key(a, "jobs:read")
	noted := func() map[string]time.Time {
		t.Helper()
		keys, err := w.Stores.Apps.APIKeys(t.Context(), a.App.ID, false)
		w.Must(err)
		at := map[string]time.Time{}
		for _, k := range keys {
			if k.LastUsedAt != nil {
				at[k.ID] = k.LastUsedAt.UTC()
			}
		}
		return at
	}
	began := w.Clock.Now()
	w.Clock.Advance(time.Hour)
	for n, step := range []struct {
		used, want map[string]time.Time
	}{
		{map[string]time.Time{first: began}, map[string]time.Time{first: began}},
		{map[string]time.Time{first: began.Add(30 * time.Second), second: began.Add(time.Second)}, map[string]time.Time{first: began, second: began.Add(time.Second)}},
		{
			map[string]time.Time{first: began.Add(30*time.Second + time.Microsecond), second: began.Add(2 * time.Minute)},
			map[string]time.Time{first: began.Add(30*time.Second + time.Microsecond), second: began.Add(2 * time.Minute)},
		},
		// A late batch must not replace a time of use with an earlier one.
		{map[string]time.Time{first: began, second: began.Add(time.Minute)}, map[string]time.Time{first: began.Add(30*time.Second + time.Microsecond), second: began.Add(2 * time.Minute)}},
	} {
		w.Must(uses(w, a, step.used))
		got := noted()
		if _, there := got[idle]; there || len(got) != len(step.want) {
			t.Errorf("step %d: the recorded uses are %v", n, got)
		}
		for key, want := range step.want {
			if !got[key].Equal(want) {
				t.Errorf("step %d: the use of %s is recorded at %s, want %s", n, key, got[key], want)
			}
		}
	}
}

// Otherwise, batches that record the use of the same keys would wait for each other.
func TestBatchDoesNotWaitForALockedKey(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	a := w.Confidential()
	w.Must(w.Stores.Usage.MakePartitions(t.Context(), usage.DayOf(w.Clock.Now()), usage.DayOf(w.Clock.Now())))
	key, _ := w.Key(a, "jobs:read")
	authtest.DoesNotWait(w, "a batch", "SELECT 1 FROM api_keys WHERE id = $1 FOR NO KEY UPDATE", key, func() error {
		return uses(w, a, map[string]time.Time{key: w.Clock.Now()})
	})
}

func TestKeysAreListedNewestFirst(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	a := w.Confidential()
	oldest, _ := w.Key(a, "jobs:read")
	w.Clock.Advance(time.Microsecond)
	var want []string
	for range 5 {
		key, _ := w.Key(a, "jobs:read")
		want = append(want, key)
	}
	slices.Sort(want)
	slices.Reverse(want)
	authtest.DeleteKey(w, want[1])
	want = append(want, oldest)
	keys, err := w.Stores.Apps.APIKeys(t.Context(), a.App.ID, true)
	w.Must(err)
	var got []string
	for _, k := range keys {
		got = append(got, k.ID)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
