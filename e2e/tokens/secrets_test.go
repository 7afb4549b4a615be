package tokens_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
)

// site is a partner's server. It continuously refreshes and introspects with its latest secret.
type site struct {
	client partner.Client
	tokens partner.Tokens
	secret atomic.Pointer[string]
	// succeeded counts the requests that succeeded with this secret.
	succeeded atomic.Int32
}

// run sends requests until stop is set or a request fails.
func (s *site) run(ctx context.Context, t *testing.T, stop *atomic.Bool) {
	for !stop.Load() {
		secret := s.secret.Load()
		c := s.client
		c.Secret = *secret
		refreshed, err := c.Refresh(ctx, s.tokens.Refresh, "")
		if err == nil {
			s.tokens, err = refreshed.Tokens()
		}
		if err != nil {
			t.Errorf("a refresh during the change: %v", err)
			return
		}
		introspected, err := c.Introspect(ctx, s.tokens.Access)
		if err != nil || introspected.Status != http.StatusOK {
			t.Errorf("an introspection during the change: %d, %v", introspected.Status, err)
			return
		}
		if s.secret.Load() == secret {
			s.succeeded.Add(1)
		}
	}
}

// give passes a secret to the server and waits until the server has used it.
func (s *site) give(t *testing.T, secret string) {
	t.Helper()
	s.secret.Store(&secret)
	s.succeeded.Store(0)
	expect.Eventually(t, "the server has used its secret", func(context.Context) error {
		if n := s.succeeded.Load(); n < 5 && !t.Failed() {
			return fmt.Errorf("%d requests", n)
		}
		return nil
	})
}

func TestSecretRotationFailsNoRequest(t *testing.T) {
	t.Parallel()
	c := scene.Everything(t)
	app, first := c.Created.Apps["web"].ID, c.App.Secret
	sites := make([]*site, 4)
	for i := range sites {
		tokens := scene.Connect(t, c.App, c.Person, "profile", person.Choice{})
		sites[i] = &site{client: c.App.At(c.Stack.BaseURLs[i%len(c.Stack.BaseURLs)]), tokens: tokens}
		sites[i].secret.Store(&first)
	}
	var stop atomic.Bool
	var running sync.WaitGroup
	for _, s := range sites {
		running.Go(func() { s.run(t.Context(), t, &stop) })
	}
	every := func(secret string) {
		t.Helper()
		for _, s := range sites {
			s.give(t, secret)
		}
	}
	every(first)
	rotated := c.Vitaectl(t, "app", "rotate-secret", app, "--overlap", "1h")
	second := rotated["clientSecret"].(string)
	every(first)
	every(second)
	old := rotated["secrets"].([]any)[1].(map[string]any)["id"].(string)
	c.Vitaectl(t, "app", "delete-secret", old)
	every(second)
	stop.Store(true)
	running.Wait()

	for _, edge := range c.Replicas(c.App) { // c.App still has the first secret
		expect.FlatRefused(t, expect.Must(edge.Introspect(t.Context(), sites[0].tokens.Access))(t), http.StatusUnauthorized, "invalid_client")
	}
	listed := c.Exits(t, 0, "app", "secrets", app)
	if strings.Count(listed.Stdout, "sec_") != 1 || strings.Contains(listed.Stdout, old) || strings.Contains(listed.Stdout, "used never") {
		t.Errorf("the list is %s", listed.Stdout)
	}
}
