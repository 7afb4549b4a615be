package password_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"vitae.internal/pkg/errs"
	"vitae.internal/services/auth/internal/password"
)

var cheap = password.Params{Memory: 64, Time: 1, Threads: 1}

func TestOnlyTheRightPasswordIsTaken(t *testing.T) {
	h := password.New(password.Default, 1)
	stored, err := h.Hash(t.Context(), "correct horse")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(stored, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Errorf("stored as %q", stored)
	}
	for attempt, want := range map[string]bool{"correct horse": true, "Correct horse": false, "": false} {
		ok, stale, err := h.Check(t.Context(), attempt, stored)
		if err != nil || ok != want || stale {
			t.Errorf("Check(%q) = %v, stale %v, %v", attempt, ok, stale, err)
		}
	}
}

func TestTheSamePasswordIsNeverStoredAlike(t *testing.T) {
	h := password.New(cheap, 1)
	first, _ := h.Hash(t.Context(), "x")
	second, _ := h.Hash(t.Context(), "x")
	if first == second {
		t.Error("the salt is not random")
	}
}

func TestAnUnknownAddressIsNeverTaken(t *testing.T) {
	h := password.New(cheap, 1)
	if ok, _, err := h.Check(t.Context(), "", ""); ok || err != nil {
		t.Errorf("taken: %v, %v", ok, err)
	}
}

func TestAHashOfAnotherCostIsTakenAndFoundStale(t *testing.T) {
	stored, _ := password.New(cheap, 1).Hash(t.Context(), "x")
	dearer := password.New(password.Params{Memory: 128, Time: 1, Threads: 1}, 1)
	if ok, stale, err := dearer.Check(t.Context(), "x", stored); !ok || !stale || err != nil {
		t.Errorf("ok %v, stale %v, %v", ok, stale, err)
	}
}

func TestADamagedHashIsAFaultNotAWrongPassword(t *testing.T) {
	h := password.New(cheap, 1)
	for _, stored := range []string{"x", "$argon2id$v=19$m=1,t=0,p=1$aaaa$aaaa", "$argon2id$v=19$m=99999999,t=1,p=1$aaaa$" + strings.Repeat("a", 43), "$argon2i$v=19$m=1,t=1,p=1$aaaa$aaaa"} {
		if _, _, err := h.Check(t.Context(), "x", stored); err == nil {
			t.Errorf("%q is read", stored)
		}
	}
}

func TestWhoCannotWaitForATurnIsToldToComeBack(t *testing.T) {
	h := password.New(password.Default, 1)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var wg sync.WaitGroup
	refused := make(chan error, 50)
	for range 50 {
		wg.Go(func() {
			if _, err := h.Hash(ctx, "x"); err != nil {
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
			t.Errorf("refused with %v", err)
		}
	}
	if n == 0 {
		t.Error("fifty ran at once")
	}
}
