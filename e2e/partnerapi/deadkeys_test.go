package partnerapi_test

import (
	"context"
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/scene"
)

// TestADeletedKeyIsRefusedEverywhereAtOnce uses a key at every replica before, while and
// after it is deleted.
func TestADeletedKeyIsRefusedEverywhereAtOnce(t *testing.T) {
	t.Parallel()
	for name, between := range map[string]func(context.Context) error{
		"as it is": func(context.Context) error { return nil }, "while Redis forgets": scene.Flusher(t),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			deletesAKey(t, between)
		})
	}
}

func deletesAKey(t *testing.T, between func(context.Context) error) {
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
						return nil //nolint:nilerr // the test has ended the call
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

// TestAKeyStopsAtTheMomentOfItsExpiry presents the key all the time: answers that
// came before the moment take it, requests that began after it are refused.
func TestAKeyStopsAtTheMomentOfItsExpiry(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t)
	company := p.Company(t)
	end := time.Now().Add(4 * time.Second).Truncate(time.Millisecond)
	key, _ := p.NewKey(t, "ats", "--scopes", "companies:read", "--expires-at", end.UTC().Format(time.RFC3339Nano))
	edges := p.Edges(key)
	taken, turned := 0, 0
	for i := 0; turned < 100 && !t.Failed(); i++ {
		began := time.Now()
		a := expect.Must(edges[i%len(edges)].Company(t.Context(), company))(t)
		switch {
		case time.Now().Before(end):
			expect.Success(t, a)
			taken++
		case !began.Before(end):
			expect.Refused(t, a, keyDead.status, keyDead.code)
			turned++
		}
	}
	if taken == 0 {
		t.Error("the key never worked")
	}
}

func TestASuspendedAccountsKeysAreRefusedUntilItIsResumed(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t)
	account := p.Created.Developers["platform"].ID
	for range 3 {
		p.Vitaectl(t, "account", "suspend", account)
		for _, edge := range append(p.Edges(p.API), p.Edges(p.Key(t, "sibling-key"))...) {
			expect.Refused(t, expect.Must(edge.Companies(t.Context(), ""))(t), suspended.status, suspended.code)
		}
		p.Vitaectl(t, "account", "resume", account)
		for _, edge := range p.Edges(p.API) {
			expect.Listed(t, expect.Must(edge.Companies(t.Context(), ""))(t))
		}
	}
}
