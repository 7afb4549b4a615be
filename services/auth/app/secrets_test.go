package app_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// day is the overlap of these tests.
const day = 24 * time.Hour

func (w *world) rotation(c client, overlap time.Duration, endOlder bool) (*authv1.RotateClientSecretResponse, error) {
	return w.developers.RotateClientSecret(w.Context(), &authv1.RotateClientSecretRequest{
		AppId: c.app.GetId(), Overlap: durationpb.New(overlap), EndOlder: endOlder,
	})
}

// rotated gives the app a new secret, beside which its newest lives on.
func (w *world) rotated(c client, overlap time.Duration) client {
	w.Helper()
	resp, err := w.rotation(c, overlap, false)
	w.must(err)
	return client{app: c.app, secret: resp.GetClientSecret()}
}

func (w *world) secrets(c client) []*authv1.ClientSecret {
	w.Helper()
	resp, err := w.developers.ListClientSecrets(w.Context(), &authv1.ListClientSecretsRequest{AppId: c.app.GetId()})
	w.must(err)
	return resp.GetSecrets()
}

func (w *world) deleteSecret(id string) error {
	return second(w.developers.DeleteClientSecret(w.Context(), &authv1.DeleteClientSecretRequest{Id: id}))
}

// calls are those that check a secret. They present that of c, with grants that were made
// with that of live.
func (w *world) calls(p person, live, c client) map[string]func() error {
	w.Helper()
	tokens, code, older := w.connect(p, live, everything...), w.consent(p, live, everything...), w.legacyConsent(p, live)
	calls := w.tokenCalls(c.auth(), tokens, code)
	calls["legacy code"] = func() error { return second(w.tryLegacyExchange(c.auth(), older)) }
	calls["legacy client"] = func() error {
		return second(w.legacy.AuthenticateLegacyClient(w.Context(), &authv1.AuthenticateLegacyClientRequest{Client: c.auth()}))
	}
	return calls
}

func (w *world) knock(p person, live, c client) map[string]error {
	w.Helper()
	calls, answers := w.calls(p, live, c), map[string]error{}
	for _, call := range []string{"legacy client", "legacy code", "exchange", "introspect", "refresh", "revoke"} {
		answers[call] = calls[call]()
	}
	return answers
}

func (w *world) taken(p person, live, c client) {
	w.Helper()
	for call, err := range w.knock(p, live, c) {
		if err != nil {
			w.Errorf("%s: %v", call, err)
		}
	}
}

func (w *world) refused(p person, live, c client) {
	w.Helper()
	for call, err := range w.knock(p, live, c) {
		if !errs.HasCode(err, "OAUTH_INVALID_CLIENT") {
			w.Errorf("%s: %v", call, err)
		}
	}
}

func TestDuringTheOverlapBothSecretsWorkEverywhereAndTheOldOneStopsAtItsEnd(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, older := w.person("a@example.com"), w.legacyClient()
	newer := w.rotated(older, day)
	w.taken(p, newer, older)
	w.taken(p, older, newer)
	w.refused(p, newer, client{app: older.app, secret: credential.New(credential.ClientSecret)})
	w.clock.Advance(day - time.Microsecond)
	p = w.person("b@example.com") // the session has ended
	w.taken(p, newer, older)
	w.clock.Advance(time.Microsecond)
	w.refused(p, newer, older)
	w.taken(p, newer, newer)
	if left := w.secrets(newer); len(left) != 1 || left[0].GetExpiresAt() != nil {
		t.Errorf("secrets %v", left)
	}
}

func TestWithoutAnOverlapEveryEarlierSecretStopsAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, first := w.person("a@example.com"), w.legacyClient()
	middle := w.rotated(first, day)
	last := w.rotated(first, 0)
	w.refused(p, last, first)
	w.refused(p, last, middle)
	w.taken(p, last, last)
}

func TestAThirdSecretIsRefusedUnlessTheOldestIsToEnd(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, first := w.person("a@example.com"), w.legacyClient()
	middle := w.rotated(first, day)
	_, err := w.rotation(first, day, false)
	wantCode(t, err, "TWO_CLIENT_SECRETS")
	if e, _ := errs.As(err); e.Kind != errs.Precondition || !strings.Contains(e.Message, "2026-03-02T09:00:00Z") || !strings.Contains(e.Message, w.secrets(first)[1].GetId()) {
		t.Errorf("the refusal %v does not name the older secret and its end", err)
	}
	w.taken(p, middle, first)
	resp, err := w.rotation(first, day, true)
	w.must(err)
	last := client{app: first.app, secret: resp.GetClientSecret()}
	w.refused(p, last, first)
	w.taken(p, last, middle)
	w.taken(p, last, last)
	for _, overlap := range []time.Duration{-time.Second, 30*day + time.Second} {
		_, err := w.rotation(first, overlap, true)
		wantCode(t, err, "INVALID_ARGUMENT")
	}
	// A secret that has ended is in nobody's way.
	w.clock.Advance(day)
	w.rotated(first, 30*day)
}

func TestARotationDoesNotPutOffTheEndThatASecretHasAlready(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first := w.confidential()
	w.must(w.deleteSecret(w.secrets(w.rotated(first, time.Hour))[0].GetId()))
	newer := w.rotated(first, day)
	if got := w.secrets(first)[1].GetExpiresAt().AsTime(); !got.Equal(started.Add(time.Hour)) {
		t.Errorf("a secret that ends in an hour now ends at %v", got)
	}
	w.clock.Advance(time.Hour)
	if w.authenticates(first) || !w.authenticates(newer) {
		t.Error("not the new secret alone is taken after the end of the other")
	}

	// An end that lies further away is brought forward.
	w.must(w.deleteSecret(w.secrets(w.rotated(newer, day))[0].GetId()))
	w.rotated(newer, time.Hour)
	if got := w.secrets(first)[1].GetExpiresAt().AsTime(); !got.Equal(w.clock.Now().Add(time.Hour)) {
		t.Errorf("a secret that is to end in an hour ends at %v", got)
	}
}

func TestTheLastSecretMadeIsTheNewestWhateverTheClockOfItsReplicaSays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	first := w.confidential()
	rotate := func() client {
		t.Helper()
		resp, err := w.rotation(first, day, true)
		w.must(err)
		made, listed := resp.GetSecrets(), w.secrets(first)
		if len(made) != 2 || made[0].GetExpiresAt() != nil || made[1].GetExpiresAt() == nil || len(listed) != 2 || listed[0].GetId() != made[0].GetId() {
			t.Errorf("answered %v, listed %v; want the new one first, and the other with an end", made, listed)
		}
		return client{app: first.app, secret: resp.GetClientSecret()}
	}
	second := rotate()
	w.clock.Advance(-time.Minute) // a replica whose clock is behind
	third := rotate()
	if w.authenticates(first) || !w.authenticates(second) || !w.authenticates(third) {
		t.Error("not the last two are taken")
	}
	fourth := rotate()
	if w.authenticates(second) || !w.authenticates(third) || !w.authenticates(fourth) {
		t.Error("a later rotation did not keep the newest secret")
	}
}

func TestASecretThatIsDeletedStopsAtOnceAndTheLastOneStays(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, older := w.person("a@example.com"), w.legacyClient()
	newer := w.rotated(older, day)
	listed := w.secrets(older)
	w.must(w.deleteSecret(listed[1].GetId()))
	w.refused(p, newer, older)
	w.taken(p, newer, newer)
	wantCode(t, w.deleteSecret(listed[0].GetId()), "LAST_CLIENT_SECRET")
	for _, gone := range []string{listed[1].GetId(), "sec_unknown", "a\x00b"} {
		wantCode(t, w.deleteSecret(gone), "CLIENT_SECRET_NOT_FOUND")
	}
	w.taken(p, newer, newer)

	// The newer one of two: the other keeps its end.
	last := w.rotated(newer, day)
	w.must(w.deleteSecret(w.secrets(last)[0].GetId()))
	w.refused(p, newer, last)
	w.clock.Advance(day)
	if left := w.secrets(newer); len(left) != 0 {
		t.Errorf("secrets %v", left)
	}
	only := w.rotated(newer, 0)
	w.taken(w.person("b@example.com"), only, only)
}

func TestTheListSaysWhoMadeASecretAndWhenItWasUsed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	older := w.legacyClient()
	if made := w.secrets(older); len(made) != 1 || made[0].GetCreatedBy() != "vitaectl" ||
		!made[0].GetCreatedAt().AsTime().Equal(started) || made[0].GetLastUsedAt() != nil || made[0].GetExpiresAt() != nil {
		t.Fatalf("secrets %v", made)
	}
	w.clock.Advance(time.Minute)
	newer := w.rotated(older, day)
	listed := w.secrets(older)
	if len(listed) != 2 || !listed[0].GetCreatedAt().AsTime().Equal(started.Add(time.Minute)) || listed[0].GetExpiresAt() != nil ||
		!listed[1].GetExpiresAt().AsTime().Equal(started.Add(time.Minute+day)) {
		t.Fatalf("secrets %v", listed)
	}
	if listed[1].GetLastUsedAt() != nil {
		t.Errorf("a secret that nobody used was used at %v", listed[1].GetLastUsedAt().AsTime())
	}
	used := func() time.Time { return w.secrets(older)[1].GetLastUsedAt().AsTime() }
	for i, call := range []string{"introspect", "exchange", "legacy code", "legacy client", "refresh", "revoke"} {
		w.clock.Advance(61 * time.Minute)
		p := w.person(fmt.Sprintf("%d@example.com", i))
		w.must(w.calls(p, newer, older)[call]())
		if got := used(); got != w.clock.Now() {
			t.Errorf("%s: used at %v", call, got)
		}
		before := w.clock.Now()
		w.clock.Advance(58 * time.Minute)
		w.must(w.calls(p, newer, older)[call]())
		if got := used(); got != before {
			t.Errorf("%s: noted twice within 59 minutes, at %v and %v", call, before, got)
		}
	}
}
