package app_test

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/id"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

func (w *world) key(c client, expiresAt *timestamppb.Timestamp) *authv1.CreateApiKeyResponse {
	w.Helper()
	made, err := w.developers.CreateApiKey(w.Context(), &authv1.CreateApiKeyRequest{
		AppId: c.app.GetId(), Name: "k", Scopes: []string{"jobs:read"}, ExpiresAt: expiresAt,
	})
	w.must(err)
	return made
}

func TestAppHasAtMost50LiveKeys(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.confidential()
	w.key(c, timestamppb.New(w.clock.Now().Add(time.Minute)))
	w.clock.Advance(time.Minute) // the expired key no longer counts
	first := w.key(c, nil)
	another := func() error {
		return second(w.developers.CreateApiKey(t.Context(), &authv1.CreateApiKeyRequest{AppId: c.app.GetId(), Name: "k", Scopes: []string{"jobs:read"}}))
	}
	var made atomic.Int32
	var all sync.WaitGroup
	for range 60 { // concurrent calls must not exceed the limit either
		all.Go(func() {
			switch err := another(); codeOf(err) {
			case "":
				made.Add(1)
			case "TOO_MANY_API_KEYS":
			default:
				t.Error(err)
			}
		})
	}
	all.Wait()
	if made.Load() != 49 {
		t.Errorf("%d keys were created after the first", made.Load())
	}
	w.must(second(w.developers.DeleteApiKey(t.Context(), &authv1.DeleteApiKeyRequest{Id: first.GetApiKey().GetId()})))
	w.must(another())
	wantCode(t, another(), "TOO_MANY_API_KEYS")
}

func (w *world) keys(c client) []*authv1.ApiKey {
	w.Helper()
	resp, err := w.developers.ListApiKeys(w.Context(), &authv1.ListApiKeysRequest{AppId: c.app.GetId()})
	w.must(err)
	return resp.GetApiKeys()
}

func TestKeyIsListedWithExpiryAndCreator(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.confidential()
	made := w.key(c, nil)
	listed := w.keys(c)[0]
	for _, k := range []*authv1.ApiKey{made.GetApiKey(), listed} {
		if !strings.HasSuffix(made.GetSecret(), k.GetHint()) || len(k.GetHint()) != 4 || k.GetCreatedBy() != "vitaectl" || k.GetLastUsedAt() != nil {
			t.Errorf("the key is %v", k)
		}
	}
	_, err := w.db.Exec(t.Context(), "UPDATE api_keys SET hint = DEFAULT, created_by = DEFAULT")
	w.must(err)
	if k := w.keys(c)[0]; k.GetHint() != "" || k.GetCreatedBy() != "" {
		t.Errorf("a key created before hints were stored: %v", k)
	}
}

// used reports a batch of requests made with the given API key.
func (w *world) used(batch string, c client, key string, at ...time.Time) {
	w.Helper()
	req := &authv1.RecordRequestsRequest{BatchId: batch, Counts: []*authv1.AccountUsage{{
		AccountId: c.app.GetAccountId(), Usage: &authv1.Usage{Day: "2026-03-01", AppId: c.app.GetId(), ApiKeyId: key, Requests: 1, Metered: 1},
	}}}
	for i, t := range at {
		req.Entries = append(req.Entries, &authv1.RequestEntry{
			At: timestamppb.New(t), RequestId: id.New("req"), AccountId: c.app.GetAccountId(), AppId: c.app.GetId(), ApiKeyId: key,
			Method: "GET", Route: "/v1/jobs", Status: int32(200 + i),
		})
	}
	_, err := w.usage.RecordRequests(w.Context(), req)
	w.must(err)
}

func TestLastUseOfKeyLagsAtMostAMinute(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.confidential()
	key, other := w.key(c, nil).GetApiKey().GetId(), w.key(c, nil).GetApiKey().GetId()
	lastUse := func() (at time.Time) {
		for _, k := range w.keys(c) {
			switch {
			case k.GetId() == key && k.GetLastUsedAt() != nil:
				at = k.GetLastUsedAt().AsTime()
			case k.GetId() == other && k.GetLastUsedAt() != nil:
				t.Errorf("the unused key has the last use %v", k.GetLastUsedAt().AsTime())
			}
		}
		return at
	}
	for i, step := range []struct {
		name  string
		later time.Duration // time since the start of the test
		at    []time.Duration
		want  time.Duration
	}{
		{"the newest request of a batch", 10 * time.Second, []time.Duration{9 * time.Second, 8 * time.Second}, 9 * time.Second},
		{"soon after it is not written again", 20 * time.Second, []time.Duration{19 * time.Second}, 9 * time.Second},
		{"half a minute later it is", 41 * time.Second, []time.Duration{40 * time.Second}, 40 * time.Second},
		{"a late batch takes nothing back", time.Minute, []time.Duration{5 * time.Second}, 40 * time.Second},
		{"a clock that is ahead", 2 * time.Minute, []time.Duration{time.Hour}, 2 * time.Minute},
		{"requests whose entries were dropped", time.Hour, nil, time.Hour},
	} {
		w.clock.Advance(started.Add(step.later).Sub(w.clock.Now()))
		var at []time.Time
		for _, d := range step.at {
			at = append(at, started.Add(d))
		}
		w.used(string(rune('a'+i)), c, key, at...)
		if got := lastUse(); !got.Equal(started.Add(step.want)) {
			t.Errorf("%s: used at %v, want %v", step.name, got.Sub(started), step.want)
		}
	}
	w.clock.Advance(time.Hour)
	w.used("a", c, key) // the same batch is sent again
	if got := lastUse(); !got.Equal(started.Add(time.Hour)) {
		t.Errorf("a repeated batch counts: %v", got.Sub(started))
	}
}
