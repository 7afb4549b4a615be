package app_test

import (
	"sync/atomic"
	"testing"

	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

func TestOfFiftyConcurrentLegacyExchangesOneWins(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c := w.person("a@example.com"), w.legacyClient()
	replicas := []*world{w, w.replica()}
	for range 5 {
		code := w.legacyConsent(p, c)
		results, tokens := make([]error, 50), make([]string, 50)
		atOnce(50, replicas, func(i int, w *world) {
			resp, err := w.tryLegacyExchange(c.auth(), code)
			results[i], tokens[i] = err, resp.GetAccessToken()
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
				w.dead(legacyToken, c.app.GetAccountId(), tokens[i])
			}
		}
	}
}

// Both interfaces get the code at the same time.
func TestALegacyCodeIsNeverRedeemedAtTheOtherInterface(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c := w.person("a@example.com"), w.legacyClient()
	replicas := []*world{w, w.replica()}
	for range 20 {
		code := w.legacyConsent(p, c)
		var legacy, modern atomic.Int32
		atOnce(10, replicas, func(i int, w *world) {
			var err error
			won := &legacy
			if i < 2 {
				_, err = w.tryLegacyExchange(c.auth(), code)
			} else {
				won = &modern
				_, err = w.oauth.ExchangeCode(w.Context(), exchangeRequest(c, code))
			}
			if err == nil {
				won.Add(1)
			} else if !errs.HasCode(err, "OAUTH_INVALID_GRANT") {
				t.Error(err)
			}
		})
		if legacy.Load() != 1 || modern.Load() != 0 {
			t.Fatalf("%d and %d exchanges won", legacy.Load(), modern.Load())
		}
	}
}

func TestLegacyConsentsOfOnePersonAtOnceMakeOneConnection(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c := w.person("a@example.com"), w.legacyClient()
	replicas := []*world{w, w.replica()}
	codes := make([]string, 30)
	atOnce(30, replicas, func(i int, w *world) {
		if i%3 == 0 {
			w.consent(p, c, everything...) // of the other interface
			return
		}
		codes[i] = w.legacyConsent(p, c)
	})
	w.legacyConnectionOf(p)
	for _, code := range codes {
		if code != "" {
			w.legacyExchange(c, code)
		}
	}
}

func TestLegacyExchangeRacingDisconnectLeavesNoLiveToken(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c := w.person("a@example.com"), w.legacyClient()
	replicas := []*world{w, w.replica()}
	for range 100 {
		code := w.legacyConsent(p, c)
		conn := w.legacyConnectionOf(p)
		atOnce(2, replicas, func(i int, w *world) {
			if i == 0 {
				if _, err := w.connections.Disconnect(w.Context(), &authv1.DisconnectRequest{Actor: bySession(p), Id: conn.GetId()}); err != nil {
					t.Error(err)
				}
				return
			}
			if _, err := w.tryLegacyExchange(c.auth(), code); err != nil && !errs.HasCode(err, "OAUTH_INVALID_GRANT") {
				t.Error(err)
			}
		})
		if access, families := w.liveTokens(); access != 0 || families != 0 {
			t.Fatalf("%d access tokens and %d families live on", access, families)
		}
	}
}

// Both replicas read the token while it is revoked, alone or with its connection.
func TestAfterTheAnswerToARevokeNoReplicaAcceptsTheLegacyToken(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c := w.person("a@example.com"), w.legacyClient()
	replicas := []*world{w, w.replica()}
	for round := range 30 {
		token := w.legacyConnect(p, c)
		w.legacyLive(c, token)
		atOnce(7, replicas, func(i int, w *world) {
			if i > 0 {
				w.record(legacyToken, c.app.GetAccountId(), token)
				return
			}
			if round%2 == 0 {
				w.disconnectLegacy(p)
			} else if err := w.legacyRevoke(token); err != nil {
				t.Error(err)
			}
			for _, replica := range replicas {
				if r := replica.record(legacyToken, c.app.GetAccountId(), token); r != nil {
					t.Errorf("accepted after the answer: %v", r)
				}
			}
		})
		w.dead(legacyToken, c.app.GetAccountId(), token)
	}
}
