package app_test

import (
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/id"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

func (w *world) keys(c client) []*authv1.ApiKey {
	w.Helper()
	resp, err := w.developers.ListApiKeys(w.Context(), &authv1.ListApiKeysRequest{AppId: c.app.GetId()})
	w.must(err)
	return resp.GetApiKeys()
}

func TestAKeyIsListedWithItsEndAndItsMaker(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.confidential()
	made := w.key(c, nil)
	listed := w.keys(c)[0]
	for _, k := range []*authv1.ApiKey{made.GetApiKey(), listed} {
		if !strings.HasSuffix(made.GetSecret(), k.GetHint()) || len(k.GetHint()) != 4 || k.GetCreatedBy() != "vitaectl" || k.GetLastUsedAt() != nil {
			t.Errorf("it is %v", k)
		}
	}
	_, err := w.db.Exec(t.Context(), "UPDATE api_keys SET hint = DEFAULT, created_by = DEFAULT")
	w.must(err)
	if k := w.keys(c)[0]; k.GetHint() != "" || k.GetCreatedBy() != "" {
		t.Errorf("a key from before: %v", k)
	}
}

// used reports requests with a key.
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

func TestTheLastUseOfAKeyIsKnownWithinAMinute(t *testing.T) {
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
				t.Errorf("the other key was used at %v", k.GetLastUsedAt().AsTime())
			}
		}
		return at
	}
	for i, step := range []struct {
		name  string
		later time.Duration // since the start
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
	w.used("a", c, key) // again
	if got := lastUse(); !got.Equal(started.Add(time.Hour)) {
		t.Errorf("a batch that came again counts: %v", got.Sub(started))
	}
}

// A key whose row somebody has locked is left to the next batch, so that no batch waits.
func TestABatchDoesNotWaitForTheRowOfAKey(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.confidential()
	key := w.key(c, nil).GetApiKey().GetId()
	tx, err := w.db.Begin(t.Context())
	w.must(err)
	_, err = tx.Exec(t.Context(), "SELECT FROM api_keys FOR UPDATE")
	w.must(err)
	w.used("a", c, key)
	w.must(tx.Rollback(t.Context()))
	if k := w.keys(c)[0]; k.GetLastUsedAt() != nil {
		t.Errorf("used at %v", k.GetLastUsedAt().AsTime())
	}
	w.used("b", c, key)
	if k := w.keys(c)[0]; k.GetLastUsedAt() == nil {
		t.Error("the next batch notes nothing")
	}
}

func (w *world) setExpiry(id string, at *time.Time, allowLast bool) (*authv1.ClientSecret, error) {
	req := &authv1.SetClientSecretExpiryRequest{Id: id, AllowLast: allowLast}
	if at != nil {
		req.ExpiresAt = timestamppb.New(*at)
	}
	resp, err := w.developers.SetClientSecretExpiry(w.Context(), req)
	return resp.GetSecret(), err
}

func TestTheEndOfASecretIsSetMovedAndRemoved(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	old := w.confidential()
	resp, err := w.rotation(old, day, false)
	w.must(err)
	newer := client{app: old.app, secret: resp.GetClientSecret()}
	listed := w.secrets(old)
	newID, oldID := listed[0].GetId(), listed[1].GetId()
	at := func(d time.Duration) *time.Time { t := started.Add(d); return &t }

	set, err := w.setExpiry(oldID, at(time.Hour), false)
	w.must(err)
	if !set.GetExpiresAt().AsTime().Equal(*at(time.Hour)) || set.GetId() != oldID {
		t.Errorf("moved nearer: %v", set)
	}
	_, err = w.setExpiry(oldID, at(3*time.Hour), false)
	w.must(err)
	_, err = w.setExpiry(newID, at(2*time.Hour), false)
	w.must(err) // the older one outlasts it
	_, err = w.setExpiry(oldID, at(time.Hour), false)
	w.must(err) // and now the newer one
	_, err = w.setExpiry(newID, at(time.Hour), false)
	wantCode(t, err, "LAST_CLIENT_SECRET")
	_, err = w.setExpiry(newID, at(4*time.Hour), false)
	w.must(err) // later is never refused
	none, err := w.setExpiry(newID, nil, false)
	w.must(err)
	if none.GetExpiresAt() != nil {
		t.Errorf("removed: %v", none)
	}
	for _, past := range []time.Duration{0, -time.Hour} {
		_, err = w.setExpiry(newID, at(past), true)
		wantCode(t, err, "INVALID_ARGUMENT")
	}
	w.clock.Advance(time.Hour)
	if w.authenticates(old) || !w.authenticates(newer) {
		t.Error("at its end the older secret works, or the newer does not")
	}
	_, err = w.setExpiry(oldID, nil, false)
	wantCode(t, err, "CLIENT_SECRET_NOT_FOUND") // ended is ended
	_, err = w.setExpiry("sec\x00", nil, false)
	wantCode(t, err, "CLIENT_SECRET_NOT_FOUND")
}

func TestTheLastSecretEndsOnlyWhenThatIsAllowed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.confidential()
	only := w.secrets(c)[0].GetId()
	soon := started.Add(time.Hour)
	_, err := w.setExpiry(only, &soon, false)
	wantCode(t, err, "LAST_CLIENT_SECRET")
	_, err = w.setExpiry(only, &soon, true)
	w.must(err)
	if err := w.deleteSecret(only); !errs.HasCode(err, "LAST_CLIENT_SECRET") {
		t.Errorf("deleted unasked: %v", err)
	}
	_, err = w.developers.DeleteClientSecret(t.Context(), &authv1.DeleteClientSecretRequest{Id: only, AllowLast: true})
	w.must(err)
	if w.authenticates(c) || len(w.secrets(c)) != 0 {
		t.Error("it is there")
	}
	resp, err := w.rotation(c, 0, false)
	w.must(err)
	if !w.authenticates(client{app: c.app, secret: resp.GetClientSecret()}) || len(w.secrets(c)) != 1 {
		t.Error("a new one does not work, or is not the only one")
	}
}
