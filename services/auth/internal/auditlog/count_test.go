package auditlog

import (
	"fmt"
	"testing"
	"time"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/clock"
)

// What is said of many must be true of each: an app is not blamed for what another did.
func TestACountNamesTheActorOnlyIfAllAreThatActor(t *testing.T) {
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

// While the database is down, counts wait in memory. Their number is bounded, and none is
// lost.
func TestCountsThatWaitAreBoundedAndComplete(t *testing.T) {
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
		f.turn()
		f.mu.Unlock()
	}
	counted := 0
	over := f.ended()
	for _, e := range over {
		counted += repeated(e)
	}
	if len(over) > maxOver {
		t.Errorf("%d counts wait", len(over))
	}
	if want := rounds * (each*(perSource+1) - inAll); counted != want {
		t.Errorf("%d refusals are counted, want %d", counted, want)
	}
}
