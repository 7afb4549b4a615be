package password_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"vitae.internal/pkg/errs"
	"vitae.internal/services/auth/internal/people/password"
)

var (
	cheap = password.Params{Memory: 64, Time: 1, Threads: 1}
	one   = password.Share{Class: password.Strangers, Key: "203.0.113.7"}
)

func hasher(t *testing.T, cost password.Params) *password.Hasher {
	t.Helper()
	h, err := password.New(password.Config{Params: cost, Limits: password.Limits{AtOnce: 1, Waiting: 64, PerShare: 64}})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func TestOnlyTheRightPasswordMatches(t *testing.T) {
	h := hasher(t, password.Default)
	stored, err := h.Hash(t.Context(), one, "correct horse")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(stored, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Errorf("stored as %q", stored)
	}
	for attempt, want := range map[string]bool{"correct horse": true, "Correct horse": false, "": false} {
		ok, stale, err := h.Check(t.Context(), one, attempt, stored)
		if err != nil || ok != want || stale {
			t.Errorf("Check(%q) = %v, stale %v, %v", attempt, ok, stale, err)
		}
	}
}

func TestHashUsesARandomSalt(t *testing.T) {
	h := hasher(t, cheap)
	first, _ := h.Hash(t.Context(), one, "x")
	second, _ := h.Hash(t.Context(), one, "x")
	if first == second {
		t.Error("the salt is not random")
	}
}

func TestUnknownEmailNeverMatches(t *testing.T) {
	h := hasher(t, cheap)
	if ok, _, err := h.Check(t.Context(), one, "", ""); ok || err != nil {
		t.Errorf("accepted: %v, %v", ok, err)
	}
}

func TestHashWithDifferentCostIsStale(t *testing.T) {
	stored, _ := hasher(t, cheap).Hash(t.Context(), one, "x")
	dearer := hasher(t, password.Params{Memory: 128, Time: 1, Threads: 1})
	if ok, stale, err := dearer.Check(t.Context(), one, "x", stored); !ok || !stale || err != nil {
		t.Errorf("ok %v, stale %v, %v", ok, stale, err)
	}
}

func TestDamagedHashIsAnError(t *testing.T) {
	h := hasher(t, cheap)
	for _, stored := range []string{"x", "$argon2id$v=19$m=1,t=0,p=1$aaaa$aaaa", "$argon2id$v=19$m=99999999,t=1,p=1$aaaa$" + strings.Repeat("a", 43), "$argon2i$v=19$m=1,t=1,p=1$aaaa$aaaa"} {
		if _, _, err := h.Check(t.Context(), one, "x", stored); err == nil {
			t.Errorf("%q is accepted as a hash", stored)
		}
	}
}

func TestCanceledHashIsUnavailable(t *testing.T) {
	h := hasher(t, password.Default)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var wg sync.WaitGroup
	refused := make(chan error, 50)
	for range 50 {
		wg.Go(func() {
			if _, err := h.Hash(ctx, one, "x"); err != nil {
				refused <- err
			}
		})
	}
	wg.Wait()
	close(refused)
	n := 0
	for err := range refused {
		n++
		if errs.KindOf(err) != errs.Unavailable {
			t.Errorf("rejected with %v", err)
		}
	}
	if n != 50 {
		t.Errorf("%d were computed after the cancellation", 50-n)
	}
}
