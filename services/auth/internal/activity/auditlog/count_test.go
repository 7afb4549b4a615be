package auditlog

import (
	"fmt"
	"testing"
	"time"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/clock"
)

// A combined count must not attribute one app's refusals to another app.
func TestCountNamesActorOnlyIfAllShareIt(t *testing.T) {
	for name, c := range map[string]struct {
		second audit.Actor
		want   audit.Actor
	}{
		"the same app": {audit.ByApp("app_1"), audit.ByApp("app_1")},
		"another app":  {audit.ByApp("app_2"), audit.Actor{Kind: audit.App}},
		"a person":     {audit.ByPerson("usr_1"), audit.Actor{Kind: audit.Anonymous}},
	} {
		a := audit.Event{Actor: audit.ByApp("app_1"), Caller: audit.Gateway, AppID: "app_1", AccountID: "dev_1"}
		b := a
		b.Actor = c.second
		if got := common(a, b).Actor; got != c.want {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// While the database is down, pending counts are held in memory. Their number is limited, but no refusal is lost.
func TestPendingCountsAreLimitedAndComplete(t *testing.T) {
	now := clock.NewFake(time.Unix(1_800_000_000, 0))
	f := newFlood(now)
	const rounds, each = 8, 1999
	for range rounds {
		for i := range each {
			for range perSource + 1 {
				f.admits(audit.Event{Action: audit.SignIn, Code: "SIGN_IN_FAILED", Caller: audit.Gateway, ClientAddress: fmt.Sprintf("192.0.%d.%d", i/256, i%256)})
			}
		}
		now.Advance(window)
		f.mu.Lock()
		f.roll()
		f.mu.Unlock()
	}
	counted := 0
	over := f.ended()
	for _, e := range over {
		counted += repeated(e)
	}
	if len(over) > maxOver {
		t.Errorf("%d counts are pending", len(over))
	}
	if want := rounds * (each*(perSource+1) - inAll); counted != want {
		t.Errorf("%d refusals are counted, want %d", counted, want)
	}
}

// The first pending count of a kind is stored separately even above the limit, because there are few kinds.
func TestFirstCountOfAKindIsKeptSeparately(t *testing.T) {
	now := clock.NewFake(time.Unix(1_800_000_000, 0))
	f := newFlood(now)
	for range maxOver {
		f.over = append(f.over, audit.Event{Action: audit.SignIn, Code: "SIGN_IN_FAILED", Details: map[string]string{audit.Repeated: "1"}})
	}
	for _, e := range []audit.Event{{Action: audit.SignIn, Code: "TOO_MANY_ATTEMPTS"}, {Action: audit.TokenRefresh, Code: "SIGN_IN_FAILED"}, {Action: audit.SignIn, Code: "SIGN_IN_FAILED"}} {
		for range perSource + 2 {
			f.admits(e)
		}
	}
	now.Advance(window)
	counted := map[[2]string]int{}
	all := f.ended()
	for _, e := range all {
		counted[[2]string{string(e.Action), e.Code}] += repeated(e)
	}
	if len(all) != maxOver+2 || counted[[2]string{"session.sign_in", "TOO_MANY_ATTEMPTS"}] != 2 || counted[[2]string{"token.refresh", "SIGN_IN_FAILED"}] != 2 ||
		counted[[2]string{"session.sign_in", "SIGN_IN_FAILED"}] != maxOver+2 {
		t.Errorf("%d counts: %v", len(all), counted)
	}
}

func TestFloodConstants(t *testing.T) {
	if namedSources != 20_000 || window != time.Minute || perSource != 30 || inAll != 600 || sources != 2000 || maxOver != 8000 || flushAtOnce != 200 || flushEvery != 20*time.Second {
		t.Error(window, perSource, inAll, sources, maxOver, flushAtOnce, flushEvery)
	}
}
