package tokens_test

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"

	"golang.org/x/sync/errgroup"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

// oneWinner asserts that at most one response has tokens and that all others are invalid_grant. It
// returns the tokens, if there are any.
func oneWinner(t testing.TB, responses []partner.Response) []partner.Tokens {
	t.Helper()
	var won []partner.Tokens
	for _, a := range responses {
		if a.Status == http.StatusOK {
			won = append(won, expect.Must(a.Tokens())(t))
			continue
		}
		expect.FlatRefused(t, a, http.StatusBadRequest, "invalid_grant")
	}
	if len(won) > 1 {
		t.Errorf("%d winners, want one", len(won))
	}
	return won
}

func TestOneConcurrentExchangeSucceeds(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	app, layla := s.Client(t, "web"), s.NewPerson(t, "layla")
	for range 2 {
		r := app.NewRequest(world.EveryScope)
		issued := scene.Code(t, app, layla, r, person.Choice{})
		edges := s.Replicas(app)
		won := oneWinner(t, scene.AtOnce(t, 100, func(ctx context.Context, i int) (partner.Response, error) {
			return edges[i%len(edges)].Exchange(ctx, issued, r.Verifier)
		}))
		if len(won) != 1 {
			t.Fatalf("%d winners, want one", len(won))
		}
		// The other calls replayed the code, which revokes the winner's tokens.
		c := scene.Connected{Scene: s, App: app}
		c.Dead(t, won[0].Access)
		c.RefreshDead(t, won[0].Refresh)
	}
}

func TestConcurrentRefreshesLeaveOneSuccessor(t *testing.T) {
	t.Parallel()
	s := scene.New(t)
	app, layla := s.Client(t, "web"), s.NewPerson(t, "layla")
	for range 2 {
		tokens := scene.Connect(t, app, layla, world.EveryScope, person.Choice{})
		edges := s.Replicas(app)
		won := oneWinner(t, scene.AtOnce(t, 50, func(ctx context.Context, i int) (partner.Response, error) {
			return edges[i%len(edges)].Refresh(ctx, tokens.Refresh, "")
		}))
		// The other calls presented a rotated token, which revokes the family.
		c := scene.Connected{Scene: s, App: app}
		c.RefreshDead(t, tokens.Refresh)
		for _, w := range won {
			c.RefreshDead(t, w.Refresh)
			c.Dead(t, w.Access)
		}
	}
}

// Several people, each with their own connection, race a refresh against a revocation in rounds. A
// revocation revokes all access tokens of a connection, so on one connection it could hide a failure of
// an earlier round.
const (
	rounds = 100
	racers = 4
)

func TestRefreshRacingRevokeLeavesNoToken(t *testing.T) {
	t.Parallel()
	var people []world.Person
	for i := range racers {
		p := world.Bare()
		p.Ref = fmt.Sprint("p", i)
		people = append(people, p)
	}
	s := scene.New(t, people...)
	app := s.Client(t, "web")
	var wait sync.WaitGroup
	for i := range racers {
		someone := s.NewPerson(t, people[i].Ref)
		wait.Go(func() {
			for round := range rounds / racers {
				if t.Failed() {
					return
				}
				raceRefreshAndRevoke(t, s, app, someone, round)
			}
		})
	}
	wait.Wait()
}

func raceRefreshAndRevoke(t testing.TB, s *scene.Scene, app partner.Client, someone *person.Person, round int) {
	edges := s.Replicas(app)
	tokens, err := scene.TryConnect(t.Context(), app, someone, "profile")
	if err != nil {
		t.Error(err)
		return
	}
	var refresh, revoke partner.Response
	group, ctx := errgroup.WithContext(t.Context())
	group.Go(func() (err error) {
		refresh, err = edges[round%2].Refresh(ctx, tokens.Refresh, "")
		return err
	})
	group.Go(func() (err error) {
		revoke, err = edges[(round+1)%2].Revoke(ctx, tokens.Refresh)
		return err
	})
	if err := group.Wait(); err != nil {
		t.Error(err)
		return
	}
	if revoke.Status != http.StatusOK {
		t.Errorf("revoke: %s", revoke)
	}
	issued := []string{tokens.Access, tokens.Refresh}
	if refresh.Status == http.StatusOK {
		next, err := refresh.Tokens()
		if err != nil {
			t.Error(err)
		}
		issued = append(issued, next.Access, next.Refresh)
	} else if refresh.Status != http.StatusBadRequest || refresh.Code() != "invalid_grant" {
		t.Errorf("refresh: %s", refresh)
	}
	for i, token := range issued {
		isDead(t, edges[(round+i)%2], token)
	}
}

// isDead asserts that introspection reports a token as inactive and that /v1/me rejects it.
func isDead(t testing.TB, at partner.Client, token string) {
	a, err := at.Introspect(t.Context(), token)
	if err != nil {
		t.Error(err)
		return
	}
	expect.Inactive(t, a)
	if me, err := at.Get(t.Context(), "/v1/me", token); err != nil || me.Status != http.StatusUnauthorized {
		t.Errorf("/v1/me with a dead token: %s %v", me, err)
	}
}
