package app_test

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"vitae.internal/pkg/credential"
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

// The release before knows apps.secret_hash alone. These are its statements.
func TestReplicasOfTheReleaseBeforeAndThisOneTakeEachOthersNewestSecret(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.clock.Advance(time.Since(started)) // the release before leaves the time to Postgres
	older := func(c client) (taken bool) {
		t.Helper()
		hash := credential.Hash(c.secret)
		w.must(w.db.QueryRow(t.Context(), "SELECT secret_hash = $1 FROM apps WHERE id = $2", hash[:], c.app.GetId()).Scan(&taken))
		return taken
	}
	rotate := func(c client) client {
		t.Helper()
		next := client{app: c.app, secret: credential.New(credential.ClientSecret)}
		hash := credential.Hash(next.secret)
		_, err := w.db.Exec(t.Context(), "UPDATE apps SET secret_hash = $1 WHERE id = $2 AND client_type = 'confidential'", hash[:], c.app.GetId())
		w.must(err)
		return next
	}
	first := w.confidential()
	second := w.rotated(first, day)
	if !older(second) || older(first) {
		t.Error("the release before does not take the newest secret")
	}
	third := rotate(second)
	if !w.authenticates(third) || w.authenticates(second) || w.authenticates(first) || len(w.secrets(first)) != 1 {
		t.Error("a rotation by the release before does not count")
	}
	w.clock.Advance(time.Hour)
	fourth := w.rotated(third, day)
	w.must(w.deleteSecret(w.secrets(first)[0].GetId()))
	if older(fourth) || !older(third) || !w.authenticates(third) {
		t.Error("the release before takes a secret that was deleted")
	}

	made := client{app: &authv1.App{Id: "app_made", ClientId: credential.New(credential.ClientID)}, secret: credential.New(credential.ClientSecret)}
	hash := credential.Hash(made.secret)
	_, err := w.db.Exec(t.Context(), `INSERT INTO apps (id, account_id, name, logo_url, client_id, client_type, secret_hash, redirect_uris, scopes, legacy, created_at)
		VALUES ('app_made', $1, 'n', '', $2, 'confidential', $3, '{}', '{profile}', false, now())`, first.app.GetAccountId(), made.app.GetClientId(), hash[:])
	w.must(err)
	if !w.authenticates(made) {
		t.Error("an app that the release before made does not authenticate")
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
