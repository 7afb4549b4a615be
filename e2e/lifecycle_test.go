package e2e_test

import (
	"context"
	"net/http"
	"strings"
	"syscall"
	"testing"

	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/stack"
	"vitae.internal/e2e/internal/world"
)

// The tests of this file stop, kill and start systems of their own, one after the
// other, before the parallel tests of the shared one go on.

// start starts a system of the test's own, and stops it at the end with all that
// Stop asserts.
func start(t *testing.T, name string) *stack.Stack {
	t.Helper()
	s := must(newStack(name))(t)
	begin(t, s)
	t.Cleanup(func() {
		if s.Running() {
			stop(t, s)
		}
		if t.Failed() {
			t.Log("the end of the system's log:\n" + s.LogTail())
		}
	})
	return s
}

func begin(t *testing.T, s *stack.Stack) {
	t.Helper()
	if err := s.Start(context.Background()); err != nil {
		t.Fatalf("%v\n%s", err, s.LogTail())
	}
}

func stop(t *testing.T, s *stack.Stack) {
	t.Helper()
	if err := s.Stop(); err != nil {
		t.Errorf("stopping the system: %v", err)
	}
}

// everythingOn is everything on another system than the shared one.
func everythingOn(t *testing.T, s *stack.Stack) connected {
	t.Helper()
	here := sceneOn(t, s)
	c := connected{scene: here, app: here.app(t, "web"), person: here.person(t, "layla")}
	r := c.app.NewRequest(allScopes)
	back := must(c.person.Authorize(t.Context(), c.app.URL(r), person.Choice{Photo: true}))(t)
	c.tokens = must(must(c.app.Exchange(t.Context(), back.Query().Get("code"), r.Verifier))(t).Tokens())(t)
	return c
}

// TestCtrlCLeavesNoProcessAndTheDataIsThereAtTheNextStart also proves that the
// developer platform can be switched off.
func TestCtrlCLeavesNoProcessAndTheDataIsThereAtTheNextStart(t *testing.T) {
	s := start(t, "ctrl-c")
	c := everythingOn(t, s)
	link := c.link(t)
	rotated := c.tokens.Refresh
	c.tokens = must(must(c.app.Refresh(t.Context(), rotated, ""))(t).Tokens())(t)

	stop(t, s)
	begin(t, s)
	c.alive(t, c.tokens.Access)
	if c.link(t) != link {
		t.Error("the durable link changed")
	}
	if a := open(t, link); a.Status != http.StatusOK {
		t.Errorf("the durable link: %s", a)
	}
	again := world.TryImport(t, s, c.world)
	if again.Code != 1 || !strings.Contains(again.Stderr, "people[0].email") {
		t.Errorf("the same world again: exit status %d: %s", again.Code, again.Stderr)
	}
	must(s.Vitaectl(t.Context(), "account", "suspend", c.created.Developers["stranger"].ID))(t)

	stop(t, s)
	s.SetEnv("VITAE_DEVELOPER_PLATFORM=off")
	beginSwitchedOff(t, s)
	for _, path := range []string{"/v1/me", "/v1/me/cv", "/v1/me/cv.pdf", mustPath(t, link), "/v1/companies", "/v1/jobs/job_x", "/v1/candidates/apl_x"} {
		refused(t, c.get(t, path), http.StatusNotFound, "DEVELOPER_PLATFORM_DISABLED")
	}
	for _, a := range []partner.Answer{
		must(c.app.Refresh(t.Context(), c.tokens.Refresh, ""))(t),
		must(c.app.Introspect(t.Context(), c.tokens.Access))(t),
	} {
		flatRefused(t, a, http.StatusNotFound, "temporarily_unavailable")
	}
	refused(t, must(c.app.Revoke(t.Context(), c.tokens.Access))(t), http.StatusNotFound, "DEVELOPER_PLATFORM_DISABLED")
	refused(t, open(t, c.app.URL(c.app.NewRequest("profile"))), http.StatusNotFound, "DEVELOPER_PLATFORM_DISABLED")

	stop(t, s)
	s.SetEnv()
	begin(t, s)
	c.refreshReplayed(t, rotated)
}

// refreshReplayed asserts that a replay is still known after restarts.
func (c connected) refreshReplayed(t *testing.T, rotated string) {
	t.Helper()
	c.alive(t, c.tokens.Access)
	flatRefused(t, must(c.app.Refresh(t.Context(), rotated, ""))(t), http.StatusBadRequest, "invalid_grant")
	c.refreshDead(t, c.tokens.Refresh)
	c.dead(t, c.tokens.Access)
}

// beginSwitchedOff starts a system whose edge refuses everything: discovery says
// so too.
func beginSwitchedOff(t *testing.T, s *stack.Stack) {
	t.Helper()
	s.ReadyWhen(http.StatusNotFound)
	defer s.ReadyWhen(http.StatusOK)
	begin(t, s)
}

func TestKillingThePartsLosesNoAnsweredWrite(t *testing.T) {
	s := start(t, "kill-parts")
	for _, part := range []string{"auth", "candidate", "cvrender", "partnercatalog", "gateway"} {
		c := everythingOn(t, s)
		next := must(must(c.app.Refresh(t.Context(), c.tokens.Refresh, ""))(t).Tokens())(t)
		updateProfile(t, s, c.created.People["layla"].ID, headline("Survivor of "+part))
		revoked(t, must(c.app.Revoke(t.Context(), c.tokens.Access))(t))
		kill(t, s, part)
		begin(t, s)
		c.dead(t, c.tokens.Access)
		c.refreshDead(t, c.tokens.Refresh) // ends the family, in which next was
		c.dead(t, next.Access)

		c.tokens = connect2(t, c)
		if title := at(success(t, c.get(t, "/v1/me/cv")), "document", "title"); title != "Survivor of "+part {
			t.Errorf("after kill -9 of %s the headline is %v", part, title)
		}
		if a := c.get(t, "/v1/me/cv.pdf"); a.Status != http.StatusOK {
			t.Errorf("after kill -9 of %s: %s", part, a)
		}
	}
}

// kill ends every process of a part with SIGKILL. The system, which says so and
// ends with it, must leave nothing behind.
func kill(t *testing.T, s *stack.Stack, part string) {
	t.Helper()
	before, parts := s.Processes(), s.Parts(part)
	if len(parts) == 0 {
		t.Fatalf("no process of %s", part)
	}
	for _, p := range parts {
		if err := syscall.Kill(p.PID, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Ended(before); err != nil {
		t.Fatalf("after kill -9 of %s: %v", part, err)
	}
}

func connect2(t *testing.T, c connected) partner.Tokens {
	t.Helper()
	r := c.app.NewRequest(allScopes)
	back := must(c.person.Authorize(t.Context(), c.app.URL(r), person.Choice{}))(t)
	return must(must(c.app.Exchange(t.Context(), back.Query().Get("code"), r.Verifier))(t).Tokens())(t)
}

func TestKillingTheWholeSystemLosesNoAnsweredWrite(t *testing.T) {
	s := start(t, "kill-all")
	c := everythingOn(t, s)
	link := c.link(t)
	dead := connect2(t, c)
	c.tokens = must(must(c.app.Refresh(t.Context(), dead.Refresh, ""))(t).Tokens())(t)
	revoked(t, must(c.app.Revoke(t.Context(), dead.Access))(t))
	if err := s.Kill(); err != nil {
		t.Fatalf("what hangs below the killed process must follow it: %v", err)
	}
	begin(t, s)
	c.alive(t, c.tokens.Access)
	c.dead(t, dead.Access)
	if c.link(t) != link {
		t.Error("the durable link changed")
	}
	c.refreshReplayed(t, dead.Refresh)
}

// TestFrozenRedis is a partition as the edge sees it: connections stay open, and
// nothing is answered. A revoke then waits until no session record can be left.
func TestFrozenRedisNeitherStopsTheEdgeNorRevivesARevokedToken(t *testing.T) {
	s := start(t, "frozen-redis")
	c := everythingOn(t, s)
	dead := connect2(t, c)
	c.alive(t, c.tokens.Access)
	c.alive(t, dead.Access)

	servers := s.Parts("redis-server")
	if len(servers) != 1 {
		t.Fatalf("%d processes of Redis", len(servers))
	}
	signal(t, servers[0], syscall.SIGSTOP)
	t.Cleanup(func() { _ = syscall.Kill(servers[0].PID, syscall.SIGCONT) })
	c.alive(t, c.tokens.Access)
	success(t, c.get(t, "/v1/me/cv"))
	revoked(t, must(c.app.Revoke(t.Context(), dead.Access))(t))
	c.dead(t, dead.Access)

	signal(t, servers[0], syscall.SIGCONT)
	c.dead(t, dead.Access)
	c.alive(t, c.tokens.Access)
}

func signal(t *testing.T, p stack.Process, s syscall.Signal) {
	t.Helper()
	if err := syscall.Kill(p.PID, s); err != nil {
		t.Fatalf("%v to %v: %v", s, p, err)
	}
}
