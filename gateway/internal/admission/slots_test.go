package admission

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"vitae.internal/gateway/internal/admission/credentials"
	"vitae.internal/gateway/internal/admission/limits"
	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/chain"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

// crowd counts the verifications in progress, which block until released. It is a fake Verifier that knows no
// credential, and a fake Limiter of failures.
type crowd struct {
	mu       sync.Mutex
	inside   int
	left     int // failures that 192.0.2.1 may still cause
	released chan struct{}
}

func (c *crowd) check() {
	c.mu.Lock()
	c.inside++
	c.mu.Unlock()
	<-c.released
}

func (c *crowd) Verify(_ context.Context, _ identityv1.CredentialKind, _ credential.Digest, mayAsk credentials.MayAsk) (*authv1.SessionRecord, error) {
	if err := mayAsk(); err != nil {
		return nil, err
	}
	c.check()
	return nil, errs.New(errs.Unauthenticated, credentials.CodeNotIssued, "never issued")
}

func (c *crowd) Admit(ctx context.Context, kind identityv1.CredentialKind, hash credential.Digest, mayAsk credentials.MayAsk) (limits.Decision, error) {
	_, err := c.Verify(ctx, kind, hash, mayAsk)
	return limits.Decision{}, err
}

func (c *crowd) Surface(_ context.Context, _ limits.Tier, subject string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if subject == "failed client address 192.0.2.1" || subject == "made-up credential address 192.0.2.1" {
		c.left--
	}
	return nil
}

func (c *crowd) CheckSurface(_ context.Context, _ limits.Tier, _ string, others int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left <= others {
		return errOver
	}
	return nil
}

// (behaviour: limits#parallel-guesses)
func TestConcurrentGuessesAreLimited(t *testing.T) {
	for name, guess := range map[string]func(*testing.T, *crowd) http.Handler{
		"access tokens": func(t *testing.T, c *crowd) http.Handler {
			g := newGate(t, &fakeVerifier{}, &counters{})
			g.Verifier, g.Limiter = c, c
			return g.UserToken("profile", http.NotFoundHandler())
		},
		"tokens of the legacy interface": func(t *testing.T, c *crowd) http.Handler {
			g := newGate(t, &fakeVerifier{}, &counters{})
			g.Verifier, g.Limiter = c, c
			return g.LegacyToken(Partners{}, http.NotFoundHandler())
		},
		"client secrets": func(t *testing.T, c *crowd) http.Handler {
			clients, err := Shared{Limiter: c}.NewClients("token", limits.Tier{})
			if err != nil {
				t.Fatal(err)
			}
			return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				claimed := secret(r.Header.Get("Authorization"))
				end, err := clients.Admit(r, claimed)
				defer end()
				if err != nil {
					Refuse(w, r, err)
					return
				}
				c.check()
				clients.Failed(r, claimed)
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := &crowd{left: 20, released: make(chan struct{})}
				log := slog.New(slog.DiscardHandler)
				listener, err := chain.New(chain.Config{Log: log, Usage: noUsage{}, PlatformOn: true, MaxInFlight: 1000},
					chain.Listener{Name: "test", Fail: answer.Errors{Log: log}.Write, Handler: guess(t, c), Timeout: time.Minute})
				if err != nil {
					t.Fatal(err)
				}
				send := func(address string) {
					r := from(address)
					r.Header.Set("Authorization", "Bearer "+credential.New(credential.AccessToken))
					go listener.ServeHTTP(httptest.NewRecorder(), r)
				}
				for i := range 200 {
					send(fmt.Sprint("192.0.2.1:", i+1))
				}
				synctest.Wait()
				if c.inside != maxConcurrent {
					t.Errorf("%d requests from one IP address are verified concurrently", c.inside)
				}
				send("192.0.2.2:1")
				synctest.Wait()
				if c.inside != maxConcurrent+1 {
					t.Error("a different IP address must wait")
				}
				close(c.released)
				synctest.Wait()
				if c.inside-1 > 20 {
					t.Errorf("%d guesses were verified, want at most 20", c.inside-1)
				}
			})
		})
	}
}

func TestSlotsAreLimitedByTier(t *testing.T) {
	small := limits.Tier{Burst: limits.Rate{Count: 3, Per: time.Hour}, Sustained: limits.Rate{Count: 9, Per: time.Hour}}
	for name, want := range map[string]struct {
		tiers []limits.Tier
		slots int
	}{
		"no tier": {[]limits.Tier{{}}, maxConcurrent}, "one of two": {[]limits.Tier{{}, small}, 3},
		"sustained": {[]limits.Tier{{Burst: limits.Rate{Count: 30, Per: time.Hour}, Sustained: limits.Rate{Count: 2, Per: time.Hour}}}, 2},
	} {
		slots := newAddressSlots(want.tiers...)
		for i := range want.slots {
			if _, others, err := slots.acquire(t.Context(), "192.0.2.1"); err != nil || others != i {
				t.Errorf("%s: slot %d with %d others, %v", name, i, others, err)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, _, err := slots.acquire(ctx, "192.0.2.1"); err == nil {
			t.Errorf("%s: more than %d slots", name, want.slots)
		}
	}
}

func TestCanceledRequestStopsWaitingForSlot(t *testing.T) {
	slots := newAddressSlots()
	var done []func()
	for range maxConcurrent {
		end, _, err := slots.acquire(t.Context(), "192.0.2.1")
		if err != nil {
			t.Fatal(err)
		}
		done = append(done, end)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err := slots.acquire(ctx, "192.0.2.1"); errs.KindOf(err) != errs.Unavailable {
		t.Errorf("acquire returned %v, want UNAVAILABLE", err)
	}
	for _, end := range done {
		end()
	}
	if len(slots.byAddress) != 0 {
		t.Error("the slots of the IP address were not deleted")
	}
}
