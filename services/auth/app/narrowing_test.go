package app_test

import (
	"context"
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"

	"vitae.internal/pkg/id"
	"vitae.internal/pkg/testkit"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

// parkBeforeCommit blocks every transaction that revokes or narrows access when it writes to the outbox, shortly
// before its commit. The transactions continue when release is called.
func (w *world) parkBeforeCommit() (release func()) {
	w.Helper()
	tx, err := w.db.Begin(w.Context())
	w.must(err)
	_, err = tx.Exec(w.Context(), "LOCK TABLE forget_outbox IN ACCESS EXCLUSIVE MODE")
	w.must(err)
	return func() { w.must(tx.Rollback(context.Background())) }
}

// waiting waits until n of the service's statements are waiting for a lock.
func (w *world) waiting(n int) {
	w.Helper()
	eventually(w, "statements that wait for a lock", func() bool {
		var waiting int
		w.must(w.db.QueryRow(w.Context(), `SELECT count(*) FROM pg_stat_activity
			WHERE wait_event_type = 'Lock' AND datname = current_database()`).Scan(&waiting))
		return waiting >= n
	})
}

// A token may be issued and used while its consent is being narrowed. Its session record, created before the commit,
// then grants the wider access and must be deleted.
func TestNarrowingEndsRecordsOfRacingTokens(t *testing.T) {
	t.Parallel()
	other := id.New("cv")
	update := func(w *world, p person, change *authv1.UpdateConnectionRequest) error {
		change.Actor, change.Id = bySession(p), w.connectionOf(p).GetId()
		_, err := w.connections.UpdateConnection(w.Context(), change)
		return err
	}
	withoutCV := func(p *identityv1.Principal) bool {
		return !slices.Contains(p.GetScopes(), "cv:read") && p.GetCvLinkId() == "" && p.GetCvId() == ""
	}
	narrowings := map[string]struct {
		do   func(*world, person, client) error
		held func(*identityv1.Principal) bool
	}{
		"sharing off": {func(w *world, p person, _ client) error {
			return update(w, p, &authv1.UpdateConnectionRequest{CvSharing: proto.Bool(false)})
		}, withoutCV},
		"narrowed consent": {func(w *world, p person, c client) error {
			_, err := w.oauth.Authorize(w.Context(), &authv1.AuthorizeRequest{
				Parameters: parameters(c, allScopes), SessionToken: p.session, GrantedScopes: []string{"profile"},
			})
			return err
		}, withoutCV},
		"another CV": {func(w *world, p person, _ client) error {
			return update(w, p, &authv1.UpdateConnectionRequest{CvId: &other})
		}, func(p *identityv1.Principal) bool { return p.GetCvId() == other }},
	}
	issuings := map[string]func(*world, person, client) (issue func() *authv1.TokenPair){
		"redeem": func(w *world, p person, c client) func() *authv1.TokenPair {
			code := w.consent(p, c, everything...)
			return func() *authv1.TokenPair { return w.exchange(c, code) }
		},
		"rotate": func(w *world, p person, c client) func() *authv1.TokenPair {
			tokens := w.connect(p, c, everything...)
			return func() *authv1.TokenPair { return w.refresh(c, tokens.GetRefreshToken()) }
		},
	}
	for narrowing, narrow := range narrowings {
		for path, prepare := range issuings {
			t.Run(narrowing+" during "+path, func(t *testing.T) {
				w := newWorldOn(t, testkit.Redis(t))
				p, c := w.person("a@example.com"), w.confidential()
				issue := prepare(w, p, c)
				release := w.parkBeforeCommit()
				answered := make(chan error, 1)
				go func() { answered <- narrow.do(w, p, c) }()
				w.waiting(1)
				token := issue().GetAccessToken()
				w.live(c, token)
				release()
				w.must(<-answered)
				if got := w.record(accessToken, c.app.GetAccountId(), token); !narrow.held(got.GetPrincipal()) {
					t.Errorf("a gateway uses the scopes %v", got)
				}
			})
		}
	}
}
