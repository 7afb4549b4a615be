package partnerapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/scene"
)

// The key is used on every replica before, during and after the deletion.
func TestDeletedKeyIsRejectedEverywhere(t *testing.T) {
	t.Parallel()
	for name, between := range map[string]func(context.Context) error{
		"with Redis": func(context.Context) error { return nil }, "while Redis is emptied": scene.Flusher(t),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			deleteKey(t, between)
		})
	}
}

func deleteKey(t *testing.T, between func(context.Context) error) {
	p := scene.NewPlatform(t)
	company := p.Company(t)
	doomed, id := p.NewKey(t, "ats", "--scopes", "companies:read")
	var deleted atomic.Bool
	ctx, stop := context.WithCancel(t.Context())
	group, ctx := errgroup.WithContext(ctx)
	for _, edge := range p.Edges(doomed) {
		expect.Success(t, expect.Must(edge.Company(t.Context(), company))(t))
		for range 3 {
			group.Go(func() error {
				for {
					dead := deleted.Load()
					a, err := edge.Company(ctx, company)
					switch {
					case ctx.Err() != nil:
						return nil //nolint:nilerr // the test has canceled the call
					case err != nil:
						return err
					case a.Code() == keyDead.code:
					case dead || a.Status != http.StatusOK:
						return fmt.Errorf("%s, deleted: %v", a, dead)
					}
				}
			})
		}
	}
	p.Exits(t, 0, "key", "delete", id)
	deleted.Store(true)
	for range 200 {
		if err := between(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, edge := range p.Edges(doomed) {
			expect.Refused(t, expect.Must(edge.Company(t.Context(), company))(t), keyDead.status, keyDead.code)
		}
	}
	stop()
	if err := group.Wait(); err != nil {
		t.Error(err)
	}
}

// expiringKey creates a key of the app "ats" that expires after life or, on a slow machine, later. The
// service rejects an expiry in the past, in which case expiringKey retries with a longer life.
func expiringKey(t testing.TB, p scene.Platform, life time.Duration, scopes ...string) (key partner.Employer, end time.Time) {
	t.Helper()
	for ; ; life *= 2 {
		end = time.Now().Add(life).Truncate(time.Millisecond)
		r := expect.Must(p.Stack.Vitaectl(t.Context(), "key", "create", "--app", p.Created.Apps["ats"].ID, "--scopes", strings.Join(scopes, ","),
			"--expires-at", end.UTC().Format(time.RFC3339Nano), "-o", "json"))(t)
		if r.Code != 0 && strings.Contains(r.Stderr, "is not in the future") {
			continue
		}
		var made struct{ Key string }
		if err := json.Unmarshal([]byte(r.Stdout), &made); err != nil {
			t.Fatalf("exit status %d: %v: %s", r.Code, err, r.Stderr)
		}
		return p.API.With(made.Key), end
	}
}

func TestKeyExpiresOnTime(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t)
	company := p.Company(t)
	// This is repeated with a longer life if the key expired before its first use.
	for life := 4 * time.Second; !t.Failed() && !expiresOnTime(t, p, company, life); life *= 2 {
		t.Logf("the key expired before its first use within %v", life)
	}
}

// expiresOnTime uses a key repeatedly. It asserts that requests that end before the expiry are
// accepted, and that requests that begin after it are rejected. It reports whether the key was ever
// accepted.
func expiresOnTime(t *testing.T, p scene.Platform, company string, life time.Duration) bool {
	t.Helper()
	key, end := expiringKey(t, p, life, "companies:read")
	edges := p.Edges(key)
	accepted, refused := 0, 0
	for i := 0; refused < 100 && !t.Failed(); i++ {
		began := time.Now()
		a := expect.Must(edges[i%len(edges)].Company(t.Context(), company))(t)
		switch {
		case time.Now().Before(end):
			expect.Success(t, a)
			accepted++
		case !began.Before(end):
			expect.Refused(t, a, keyDead.status, keyDead.code)
			refused++
		}
	}
	return accepted > 0
}
