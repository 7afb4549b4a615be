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

// asked is how often auth was asked to describe a token.
func (s *system) asked(ctx context.Context) (float64, error) {
	return s.metric(ctx, "auth", "grpc_server_handled_total", methodLabels(authv1.OAuthService_IntrospectToken_FullMethodName)...)
}

// Redis is reached as the user of the gateway, who may do what users.acl says. Both
// replicas use one client and one token.
func TestIntrospectionsOfWhatIsInUseHardlyAskAuthAlsoAfterAnOutageOfRedis(t *testing.T) {
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
		before := expect.Must(s.asked(t.Context()))(t)
		introspect(many)
		made := expect.Must(s.asked(t.Context()))(t) - before
		t.Logf("%s: %d introspections, %v calls", when, many, made)
		return made
	}
	introspect(10)
	if made := calls("at first"); made*share > many {
		t.Errorf("auth was asked %v times about %d introspections", made, many)
	}
	if err := s.redis.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	if made := calls("while Redis is gone"); made < many {
		t.Errorf("auth was asked %v times about %d introspections without Redis: the test proves nothing", made, many)
	}
	if err := s.redis.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	expect.Eventually(t, "records answer again", func(context.Context) error {
		if made := calls("when Redis is back"); made*share > many {
			return fmt.Errorf("auth was asked %v times about %d introspections", made, many)
		}
		return nil
	})
}
