package faults_test

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/redis/go-redis/v9"

	"vitae.internal/e2e/employer"
	"vitae.internal/e2e/stack"
	"vitae.internal/e2e/world"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// revokedKeys is how many keys are deleted.
const revokedKeys = 1000

func TestAThousandDeletedKeysStayDeadWhenRedisForgetsEverything(t *testing.T) {
	s := newSystem(t)
	w := world.World{Developers: []world.Developer{world.Platform()}}
	made := world.Import(t, s.Stack, w)
	calls := authv1.NewDeveloperServiceClient(s.dial(t, s.note.GRPC.Auth, "auth", "vitaectl"))
	live := made.APIKeys["ats-key"].Key
	keys := make([]string, revokedKeys)
	each(t, revokedKeys, func(i int) error {
		created, err := calls.CreateApiKey(t.Context(), &authv1.CreateApiKeyRequest{
			AppId: made.Apps["ats"].ID, Name: "short-lived", Scopes: world.CompanyScopes,
		})
		if err != nil {
			return err
		}
		keys[i] = created.GetSecret()
		// Every edge has seen it, so that its record is there to outlive the key.
		for _, u := range s.BaseURLs {
			a, err := employer.Client{BaseURL: u, Key: keys[i]}.Companies(t.Context(), "")
			if err != nil || a.Status != http.StatusOK {
				return fmt.Errorf("a live key: %s, %w", a, err)
			}
		}
		_, err = calls.DeleteApiKey(t.Context(), &authv1.DeleteApiKeyRequest{Id: created.GetApiKey().GetId()})
		return err
	})
	rdb := redis.NewClient(must(redis.ParseURL(s.redis.URL()))(t))
	defer rdb.Close()
	for _, loss := range []struct {
		name string
		do   func(context.Context) error
	}{
		{"nothing", func(context.Context) error { return nil }},
		{"FLUSHALL", func(ctx context.Context) error { return rdb.FlushAll(ctx).Err() }},
		{"SCRIPT FLUSH", func(ctx context.Context) error { return rdb.ScriptFlush(ctx).Err() }},
		{"kill and restart", s.redis.Restart},
	} {
		if err := loss.do(t.Context()); err != nil {
			t.Fatal(err)
		}
		var accepted atomic.Int32
		each(t, revokedKeys, func(i int) error {
			a, err := employer.Client{BaseURL: s.BaseURLs[i%2], Key: keys[i]}.Companies(t.Context(), "")
			if err == nil && a.Status != http.StatusUnauthorized {
				accepted.Add(1)
			}
			return err
		})
		if n := accepted.Load(); n > 0 {
			t.Errorf("after %s %d deleted keys were not refused", loss.name, n)
		}
		for _, u := range s.BaseURLs {
			if err := stack.Until(t.Context(), "the live key", func(ctx context.Context) error {
				a, err := employer.Client{BaseURL: u, Key: live}.Companies(ctx, "")
				if err == nil && a.Status != http.StatusOK {
					err = fmt.Errorf("%s", a)
				}
				return err
			}); err != nil {
				t.Error(err)
			}
		}
	}
}

// each does something n times, a few at once, and reports the first fault.
func each(t *testing.T, n int, do func(i int) error) {
	t.Helper()
	var next atomic.Int32
	var wait sync.WaitGroup
	var once sync.Once
	var first error
	for range 8 {
		wait.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				if err := do(i); err != nil {
					once.Do(func() { first = err })
					return
				}
			}
		})
	}
	wait.Wait()
	if first != nil {
		t.Fatal(first)
	}
}
