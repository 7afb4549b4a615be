package operators_test

import (
	"net/http"
	"strings"
	"syscall"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/stack"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/e2e/internal/world"
)

// stopAndStart stops and restarts the stack. It also tests that the developer platform can be switched off.
func stopAndStart(t *testing.T) {
	s := sharedStack(t)
	c := scene.Everything(t)
	link := c.Link(t)
	rotated := c.Tokens.Refresh
	c.Tokens = expect.Must(expect.Must(c.App.Refresh(t.Context(), rotated, ""))(t).Tokens())(t)

	suite.Stop(t, s)
	s.SetEnv("VITAE_DEVELOPER_PLATFORM=off", suite.NoTiers, suite.Split)
	beginSwitchedOff(t, s)
	for _, path := range []string{"/v1/me", "/v1/me/cv", "/v1/me/cv.pdf", scene.Path(t, link), "/v1/companies", "/v1/jobs/job_x", "/v1/candidates/apl_x"} {
		expect.Refused(t, c.Get(t, path), http.StatusNotFound, "DEVELOPER_PLATFORM_DISABLED")
	}
	for _, a := range []partner.Response{
		expect.Must(c.App.Refresh(t.Context(), c.Tokens.Refresh, ""))(t),
		expect.Must(c.App.Introspect(t.Context(), c.Tokens.Access))(t),
	} {
		expect.FlatRefused(t, a, http.StatusNotFound, "temporarily_unavailable")
	}
	expect.Refused(t, expect.Must(c.App.Revoke(t.Context(), c.Tokens.Access))(t), http.StatusNotFound, "DEVELOPER_PLATFORM_DISABLED")
	expect.Refused(t, scene.Open(t, c.App.URL(c.App.NewRequest("profile"))), http.StatusNotFound, "DEVELOPER_PLATFORM_DISABLED")

	suite.Stop(t, s)
	s.SetEnv(suite.NoTiers, suite.Split)
	suite.Begin(t, s)
	if c.Link(t) != link {
		t.Error("the durable link changed")
	}
	if a := scene.Open(t, link); a.Status != http.StatusOK {
		t.Errorf("the durable link: %s", a)
	}
	again := world.TryImport(t, s, c.World)
	if again.Code != 1 || !strings.Contains(again.Stderr, "people[0].email") {
		t.Errorf("importing the same world again: exit status %d: %s", again.Code, again.Stderr)
	}
	expect.Must(s.Vitaectl(t.Context(), "account", "suspend", c.Created.Developers["stranger"].ID))(t)
	refreshReplayed(t, c, rotated)
}

// refreshReplayed asserts that the replay of a rotated refresh token is still detected after a restart.
func refreshReplayed(t *testing.T, c scene.Connected, rotated string) {
	t.Helper()
	c.Alive(t, c.Tokens.Access)
	expect.FlatRefused(t, expect.Must(c.App.Refresh(t.Context(), rotated, ""))(t), http.StatusBadRequest, "invalid_grant")
	c.RefreshDead(t, c.Tokens.Refresh)
	c.Dead(t, c.Tokens.Access)
}

// beginSwitchedOff starts a stack with the developer platform switched off. Its discovery document then
// returns 404.
func beginSwitchedOff(t *testing.T, s *stack.Stack) {
	t.Helper()
	s.ReadyWhen(http.StatusNotFound)
	defer s.ReadyWhen(http.StatusOK)
	suite.Begin(t, s)
}

// survivor is a connected person whose writes were acknowledged before a kill.
type survivor struct {
	scene.Connected
	headline, link string
	rotated, dead  string // a rotated refresh token and a revoked access token
}

func newSurvivor(t *testing.T, of string) survivor {
	t.Helper()
	v := survivor{Connected: scene.Everything(t), headline: "Survivor of " + of}
	v.link = v.Link(t)
	first := scene.Connect(t, v.App, v.Person, world.EveryScope, person.Choice{})
	v.rotated, v.dead = first.Refresh, first.Access
	v.Tokens = expect.Must(expect.Must(v.App.Refresh(t.Context(), first.Refresh, ""))(t).Tokens())(t)
	scene.UpdateProfile(t, v.Stack, v.Created.People["layla"].ID, scene.Headline(v.headline))
	expect.Revoked(t, expect.Must(v.App.Revoke(t.Context(), v.dead))(t))
	return v
}

// check asserts that no write is lost.
func (v survivor) check(t *testing.T) {
	t.Helper()
	v.Alive(t, v.Tokens.Access)
	v.Dead(t, v.dead)
	if title := expect.At(expect.Success(t, v.Get(t, "/v1/me/cv")), "document", "title"); title != v.headline {
		t.Errorf("%s: the headline is %v", v.headline, title)
	}
	if v.Link(t) != v.link {
		t.Errorf("%s: the durable link changed", v.headline)
	}
	if a := v.Get(t, "/v1/me/cv.pdf"); a.Status != http.StatusOK {
		t.Errorf("%s: %s", v.headline, a)
	}
	refreshReplayed(t, v.Connected, v.rotated)
}

// freezeRedis suspends Redis, which looks like a network partition to the gateway: connections stay
// open, but nothing responds. The gateway must keep working, and a revoked token must not become valid
// again: a revocation waits until every session record has expired.
func freezeRedis(t *testing.T, c scene.Connected, dead partner.Tokens) {
	c.Alive(t, c.Tokens.Access)
	c.Alive(t, dead.Access)

	servers := c.Stack.Services("redis-server")
	if len(servers) != 1 {
		t.Fatalf("%d Redis processes, want 1", len(servers))
	}
	suite.Signal(t, servers[0], syscall.SIGSTOP)
	t.Cleanup(func() { _ = syscall.Kill(servers[0].PID, syscall.SIGCONT) })
	c.Alive(t, c.Tokens.Access)
	expect.Success(t, c.Get(t, "/v1/me/cv"))
	expect.Revoked(t, expect.Must(c.App.Revoke(t.Context(), dead.Access))(t))
	c.Dead(t, dead.Access)

	suite.Signal(t, servers[0], syscall.SIGCONT)
	c.Dead(t, dead.Access)
	c.Alive(t, c.Tokens.Access)
}
