package faults_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/world"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// introspected returns the number of introspection calls that auth has received.
func (s *system) introspected(ctx context.Context) (float64, error) {
	return s.metric(ctx, "auth", "grpc_server_handled_total", methodLabels(authv1.OAuthService_IntrospectToken_FullMethodName)...)
}

// The gateway connects to Redis as its own user, with the permissions of users.acl. Both replicas use
// the same client and token.
func TestIntrospectionsRarelyCallAuth(t *testing.T) {
	s := newSystem(t)
	c := newScene(t, s, fault{})
	someone := world.Full()
	someone.Ref, someone.CVs = someone.Email, nil
	world.Import(t, s.Stack, world.World{People: []world.Person{someone}})
	tokens := expect.Must(c.Connect(t.Context(), person.New(someone.Email, someone.Password)))(t)
	introspect := func(n int) {
		t.Helper()
		for i := range n {
			a := expect.Must(c.App(i%len(edges)).Introspect(t.Context(), tokens.Access))(t)
			if a.Status != http.StatusOK || !strings.Contains(string(a.Body), `"active":true`) {
				t.Fatalf("%s", a)
			}
		}
	}
	const many, share = 400, 10
	calls := func(when string) float64 {
		before := expect.Must(s.introspected(t.Context()))(t)
		introspect(many)
		made := expect.Must(s.introspected(t.Context()))(t) - before
		t.Logf("%s: %d introspections, %v calls", when, many, made)
		return made
	}
	introspect(10)
	if made := calls("with Redis"); made*share > many {
		t.Errorf("%v calls to auth for %d introspections", made, many)
	}
	if err := s.redis.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if made := calls("without Redis"); made < many {
		t.Errorf("%v calls to auth for %d introspections without Redis: the test proves nothing", made, many)
	}
	if err := s.redis.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	expect.Eventually(t, "session records are used again", func(context.Context) error {
		if made := calls("after the restart of Redis"); made*share > many {
			return fmt.Errorf("%v calls to auth for %d introspections", made, many)
		}
		return nil
	})
}
