package app_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/testkit"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// authenticates reports whether the client's secret is taken.
func (w *world) authenticates(c client) bool {
	w.Helper()
	_, err := w.oauth.IntrospectToken(w.Context(), &authv1.IntrospectTokenRequest{Client: c.auth(), Token: "x"})
	if err != nil && !errs.HasCode(err, "OAUTH_INVALID_CLIENT") {
		w.Fatal(err)
	}
	return err == nil
}

func TestRotationsAtOnceLeaveAtMostTwoLiveSecrets(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	replicas := []*world{w, w.replica()}
	for name, endOlder := range map[string]bool{"refused": false, "the older ends": true} {
		for range 10 {
			first := w.confidential()
			made := make([]client, 8)
			atOnce(len(made), replicas, func(i int, w *world) {
				resp, err := w.rotation(first, day, endOlder)
				if err != nil && (endOlder || !errs.HasCode(err, "TWO_CLIENT_SECRETS")) {
					t.Errorf("%s: %v", name, err)
				}
				made[i] = client{app: first.app, secret: resp.GetClientSecret()}
			})
			live, given := 0, 0
			for _, c := range append(made, first) {
				if c.secret == "" {
					continue
				}
				given++
				if w.authenticates(c) {
					live++
				}
			}
			if listed := len(w.secrets(first)); live != 2 || listed != 2 {
				t.Errorf("%s: %d of %d secrets work, %d are listed; want 2", name, live, given, listed)
			}
			if !endOlder && given != 2 {
				t.Errorf("%d rotations succeeded, want 1", given-1)
			}
		}
	}
}

// A request that begins after the answer to a rotation must not be taken, whatever ran
// meanwhile.
func TestAfterTheAnswerToARotationNoReplicaTakesAnEarlierSecret(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	replicas := []*world{w, w.replica()}
	for range 10 {
		old := w.confidential()
		var answered atomic.Bool
		var before, after atomic.Int32
		var requests sync.WaitGroup
		for i := range 4 {
			requests.Go(func() {
				for after.Load() < 40 {
					late := answered.Load()
					switch taken := replicas[i%2].authenticates(old); {
					case taken && late:
						t.Error("taken after the answer")
						return
					case late:
						after.Add(1)
					case taken:
						before.Add(1)
					}
				}
			})
		}
		eventually(t, "requests are taken", func() bool { return before.Load() > 10 })
		w.rotated(old, 0)
		answered.Store(true)
		requests.Wait()
	}
}

// Uses of one secret note it at the same time. None may wait for another, or fail.
func TestRefreshesAtOnceNoteTheirSecretAndAllSucceed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	g := w.many(30)
	w.clock.Advance(2 * day)
	replicas := []*world{w, w.replica()}
	atOnce(len(g.refresh), replicas, func(i int, w *world) {
		if err := w.refreshError(g.app, g.refresh[i]); err != nil {
			t.Error(err)
		}
	})
	if used := w.secrets(g.app)[0].GetLastUsedAt().AsTime(); used != w.clock.Now() {
		t.Errorf("used at %v", used)
	}
}

// Whoever was told 503 rotates again. What comes too late must not end the secret that
// was shown since.
func TestARotationThatWasRefusedForLatenessDoesNotHappen(t *testing.T) {
	t.Parallel()
	pg := testkit.PrivatePostgres(t)
	w := newWorldAt(t, pg.URL("postgres"), testkit.Redis(t))
	c := w.confidential()
	all := func(frozen bool) (failed []error) {
		failed = make([]error, 12) // more than auth has connections, each of which so knows the statements
		atOnce(len(failed), []*world{w}, func(i int, w *world) {
			ctx, cancel := within(t.Context(), frozen)
			defer cancel()
			_, failed[i] = w.developers.RotateClientSecret(ctx, &authv1.RotateClientSecretRequest{AppId: c.app.GetId()})
		})
		return failed
	}
	for range 2 {
		for _, err := range all(false) {
			w.must(err)
		}
	}
	newest := w.rotated(c, 0)
	w.must(pg.Freeze())
	w.allUnavailable(all(true))
	w.must(pg.Thaw())
	for range 100 { // behind whatever was left on the connections
		if !w.authenticates(newest) {
			t.Fatal("a rotation that was refused for lateness has ended the secret")
		}
	}
}
