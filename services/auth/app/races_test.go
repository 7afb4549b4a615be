package app_test

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// atOnce runs do n times at once, over the replicas in turn.
func atOnce(n int, replicas []*world, do func(i int, w *world)) {
	var ready, done sync.WaitGroup
	start := make(chan struct{})
	ready.Add(n)
	for i := range n {
		done.Go(func() {
			ready.Done()
			<-start
			do(i, replicas[i%len(replicas)])
		})
	}
	ready.Wait()
	close(start)
	done.Wait()
}

// winners counts successes and fails the test on anything but invalid_grant.
func winners(t *testing.T, results []error) (n int) {
	t.Helper()
	for _, err := range results {
		switch {
		case err == nil:
			n++
		case !errs.HasCode(err, "OAUTH_INVALID_GRANT"):
			t.Errorf("a loser got %v", err)
		}
	}
	return n
}

// liveTokens counts the live tokens in the database.
func (w *world) liveTokens() (access, families int) {
	w.Helper()
	w.must(w.db.QueryRow(w.Context(), `SELECT
		(SELECT count(*) FROM access_tokens WHERE revoked_at IS NULL),
		(SELECT count(*) FROM token_families WHERE revoked_at IS NULL)`).Scan(&access, &families))
	return access, families
}

func TestOfAHundredConcurrentExchangesOneWins(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.confidential()
	replicas := []*world{w, w.replica()}
	code := w.consent(w.person("a@example.com"), c, everything...)
	results, tokens := make([]error, 100), make([]*authv1.TokenPair, 100)
	atOnce(100, replicas, func(i int, w *world) {
		resp, err := w.oauth.ExchangeCode(w.Context(), exchangeRequest(c, code))
		results[i], tokens[i] = err, resp.GetTokens()
	})
	if n := winners(t, results); n != 1 {
		t.Fatalf("%d exchanges won", n)
	}
	// The losers were replays, which revoke what the winner got.
	if access, families := w.liveTokens(); access != 0 || families != 0 {
		t.Errorf("%d access tokens and %d families live on", access, families)
	}
	for i, err := range results {
		if err == nil {
			w.dead(accessToken, c.app.GetAccountId(), tokens[i].GetAccessToken())
		}
	}
}

func TestOfFiftyConcurrentRefreshesOneWinsAndNoTwoSuccessorsLive(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c := w.person("a@example.com"), w.confidential()
	replicas := []*world{w, w.replica()}
	for range 5 {
		first := w.connect(p, c, everything...)
		results := make([]error, 50)
		atOnce(50, replicas, func(i int, w *world) { results[i] = w.refreshError(c, first.GetRefreshToken()) })
		if n := winners(t, results); n != 1 {
			t.Fatalf("%d refreshes won", n)
		}
		if access, families := w.liveTokens(); access != 0 || families != 0 {
			t.Errorf("%d access tokens and %d families live on", access, families)
		}
	}
}

func TestConsentsOfOnePersonAtOnceMakeOneConnection(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c := w.person("a@example.com"), w.confidential()
	replicas := []*world{w, w.replica()}
	codes := make([]string, 30)
	atOnce(30, replicas, func(i int, w *world) { codes[i] = w.consent(p, c, everything...) })
	w.connectionOf(p)
	for _, code := range codes {
		w.exchange(c, code)
	}
}

func TestRefreshRacingRevokeLeavesNoLiveToken(t *testing.T) {
	t.Parallel()
	const people, rounds = 4, 100
	w := newWorld(t)
	c := w.confidential()
	replicas := []*world{w, w.replica()}
	var refreshed atomic.Int32
	var all sync.WaitGroup
	for n := range people {
		p := w.person(fmt.Sprintf("p%d@example.com", n))
		all.Go(func() {
			for range rounds {
				first := w.connect(p, c, everything...)
				var second *authv1.TokenPair
				atOnce(2, replicas, func(i int, w *world) {
					if i == 0 {
						w.revoke(c, first.GetRefreshToken())
						return
					}
					resp, err := w.oauth.RefreshToken(w.Context(), &authv1.RefreshTokenRequest{Client: c.auth(), RefreshToken: first.GetRefreshToken()})
					if err != nil && !errs.HasCode(err, "OAUTH_INVALID_GRANT") {
						t.Errorf("refresh: %v", err)
					}
					second = resp.GetTokens()
				})
				if w.record(accessToken, c.app.GetAccountId(), first.GetAccessToken()) != nil {
					t.Error("the first access token lives")
				}
				if second == nil {
					continue
				}
				refreshed.Add(1)
				if w.record(accessToken, c.app.GetAccountId(), second.GetAccessToken()) != nil {
					t.Error("the new access token lives")
				}
				if err := w.refreshError(c, second.GetRefreshToken()); !errs.HasCode(err, "OAUTH_INVALID_GRANT") {
					t.Errorf("the new refresh token lives: %v", err)
				}
			}
		})
	}
	all.Wait()
	if access, families := w.liveTokens(); access != 0 || families != 0 {
		t.Errorf("%d access tokens and %d families live on", access, families)
	}
	t.Logf("the refresh came first in %d of %d rounds", refreshed.Load(), people*rounds)
}

func TestExchangeRacingDisconnectLeavesNoLiveToken(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c := w.person("a@example.com"), w.confidential()
	replicas := []*world{w, w.replica()}
	for range 100 {
		code := w.consent(p, c, everything...)
		conn := w.connectionOf(p)
		atOnce(2, replicas, func(i int, w *world) {
			if i == 0 {
				if _, err := w.connections.Disconnect(w.Context(), &authv1.DisconnectRequest{Actor: bySession(p), Id: conn.GetId()}); err != nil {
					t.Error(err)
				}
				return
			}
			if _, err := w.oauth.ExchangeCode(w.Context(), exchangeRequest(c, code)); err != nil && !errs.HasCode(err, "OAUTH_INVALID_GRANT") {
				t.Error(err)
			}
		})
		if access, families := w.liveTokens(); access != 0 || families != 0 {
			t.Fatalf("%d access tokens and %d families live on", access, families)
		}
	}
}

// Requests run on both replicas before, during and after the revoke. After its answer
// none may be accepted, whatever fills were under way.
func TestAfterTheAnswerToARevokeNoReplicaAcceptsTheToken(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c := w.person("a@example.com"), w.confidential()
	replicas := []*world{w, w.replica()}
	for range 25 {
		token := w.connect(p, c, everything...).GetAccessToken()
		var answered atomic.Bool
		var accepted, refused atomic.Int32
		var requests sync.WaitGroup
		for i := range 6 {
			requests.Go(func() {
				for refused.Load() < 40 {
					late := answered.Load()
					ok := replicas[i%2].record(accessToken, c.app.GetAccountId(), token) != nil
					switch {
					case ok && late:
						accepted.Add(1)
					case late:
						refused.Add(1)
					}
				}
			})
		}
		w.revoke(c, token)
		answered.Store(true)
		requests.Wait()
		if n := accepted.Load(); n > 0 {
			t.Fatalf("%d requests were accepted after the answer", n)
		}
	}
}
