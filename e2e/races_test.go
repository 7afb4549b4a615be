package e2e_test

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"

	"golang.org/x/sync/errgroup"

	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/world"
)

// storm runs n calls at the same moment and gives their answers.
func storm(t testing.TB, n int, call func(ctx context.Context, i int) (partner.Answer, error)) []partner.Answer {
	t.Helper()
	answers := make([]partner.Answer, n)
	start := make(chan struct{})
	group, ctx := errgroup.WithContext(t.Context())
	for i := range n {
		group.Go(func() (err error) {
			<-start
			answers[i], err = call(ctx, i)
			return err
		})
	}
	close(start)
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	return answers
}

// oneWinner asserts that all answers but at most one are invalid_grant, and gives
// the winner's tokens.
func oneWinner(t testing.TB, answers []partner.Answer) []partner.Tokens {
	t.Helper()
	var won []partner.Tokens
	for _, a := range answers {
		if a.Status == http.StatusOK {
			won = append(won, must(a.Tokens())(t))
			continue
		}
		flatRefused(t, a, http.StatusBadRequest, "invalid_grant")
	}
	if len(won) > 1 {
		t.Errorf("%d winners, want one", len(won))
	}
	return won
}

func TestOneOfAHundredConcurrentExchangesOfACodeWins(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	app, layla := s.app(t, "web"), s.person(t, "layla")
	for range 5 {
		r := app.NewRequest(allScopes)
		issued := code(t, app, layla, r, person.Choice{})
		edges := s.replicas(app)
		won := oneWinner(t, storm(t, 100, func(ctx context.Context, i int) (partner.Answer, error) {
			return edges[i%len(edges)].Exchange(ctx, issued, r.Verifier)
		}))
		if len(won) != 1 {
			t.Fatalf("%d winners, want one", len(won))
		}
		// The losers replayed the code, so what the winner got is revoked.
		c := connected{scene: s, app: app}
		c.dead(t, won[0].Access)
		c.refreshDead(t, won[0].Refresh)
	}
}

func TestConcurrentRefreshesOfATokenLeaveNoTwoLiveSuccessors(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	app, layla := s.app(t, "web"), s.person(t, "layla")
	for range 5 {
		tokens := connect(t, app, layla, allScopes, person.Choice{})
		edges := s.replicas(app)
		won := oneWinner(t, storm(t, 50, func(ctx context.Context, i int) (partner.Answer, error) {
			return edges[i%len(edges)].Refresh(ctx, tokens.Refresh, "")
		}))
		// The losers presented a rotated token, so the family has ended.
		c := connected{scene: s, app: app}
		c.refreshDead(t, tokens.Refresh)
		for _, w := range won {
			c.refreshDead(t, w.Refresh)
			c.dead(t, w.Access)
		}
	}
}

// rounds of refresh against revoke, over pairs of people and connections: within
// one connection a revoke ends the access tokens of every family, and would hide
// another round's fault.
const (
	rounds  = 1000
	couples = 8
)

func TestRefreshAgainstRevokeNeverLeavesALiveToken(t *testing.T) {
	t.Parallel()
	var people []world.Person
	for i := range couples {
		p := world.Bare()
		p.Ref = fmt.Sprint("p", i)
		people = append(people, p)
	}
	s := newScene(t, people...)
	app := s.app(t, "web")
	var wait sync.WaitGroup
	for i := range couples {
		someone := s.person(t, people[i].Ref)
		wait.Go(func() {
			for round := range rounds / couples {
				if t.Failed() {
					return
				}
				raceRefreshAndRevoke(t, s, app, someone, round)
			}
		})
	}
	wait.Wait()
}

func raceRefreshAndRevoke(t testing.TB, s *scene, app partner.Client, someone *person.Person, round int) {
	edges := s.replicas(app)
	tokens, err := tryConnect(t.Context(), app, someone)
	if err != nil {
		t.Error(err)
		return
	}
	var refresh, revoke partner.Answer
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
		noneAlive(t, edges[(round+i)%2], token)
	}
}

// noneAlive asserts with one call each that a token is neither described nor taken.
func noneAlive(t testing.TB, at partner.Client, token string) {
	a, err := at.Introspect(t.Context(), token)
	if err != nil {
		t.Error(err)
		return
	}
	inactive(t, a)
	if me, err := at.Get(t.Context(), "/v1/me", token); err != nil || me.Status != http.StatusUnauthorized {
		t.Errorf("/v1/me with a dead token: %s %v", me, err)
	}
}

// tryConnect is connect for goroutines that may not end the test.
func tryConnect(ctx context.Context, app partner.Client, p *person.Person) (partner.Tokens, error) {
	r := app.NewRequest("profile")
	back, err := p.Authorize(ctx, app.URL(r), person.Choice{})
	if err != nil {
		return partner.Tokens{}, err
	}
	answer, err := app.Exchange(ctx, back.Query().Get("code"), r.Verifier)
	if err != nil {
		return partner.Tokens{}, err
	}
	return answer.Tokens()
}
