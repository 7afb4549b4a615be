package limits_test

import (
	"net/http"
	"testing"
	"time"

	"vitae.internal/gateway/internal/admission/limits"
)

func TestBudgetHeaders(t *testing.T) {
	at := time.Date(2026, 3, 1, 23, 59, 18, 400_000_000, time.UTC)
	for name, c := range map[string]struct {
		budget limits.Budget
		want   map[string]string
	}{
		"some": {
			limits.Budget{PerMinute: 300, PerDay: 20_000, MinuteUsed: 1, DayUsed: 4_001, Now: at.UnixMicro()},
			map[string]string{
				"x-ratelimit-limit": "300", "x-ratelimit-remaining": "299", "x-ratelimit-reset": "1772409600",
				"x-quota-limit": "20000", "x-quota-remaining": "15999", "x-quota-reset": "1772409600",
				"RateLimit-Policy": `"minute";q=300;w=60, "day";q=20000;w=86400`,
				"RateLimit":        `"minute";r=299;t=42, "day";r=15999;t=42`,
			},
		},
		"more than the plan of now": {
			limits.Budget{PerMinute: 10, PerDay: 20, MinuteUsed: 300, DayUsed: 21, Now: at.Add(-24 * time.Hour).UnixMicro()},
			map[string]string{
				"x-ratelimit-remaining": "0", "x-quota-remaining": "0", "x-quota-reset": "1772323200",
				"RateLimit": `"minute";r=0;t=42, "day";r=0;t=42`,
			},
		},
		"beside a tier": {
			limits.Budget{PerMinute: 300, PerDay: 20_000, Now: at.UnixMicro(), Tier: tight},
			map[string]string{"RateLimit-Policy": `"minute";q=300;w=60, "day";q=20000;w=86400, "burst";q=20;w=10, "sustained";q=1200;w=3600`},
		},
	} {
		h := http.Header{}
		c.budget.SetHeaders(h)
		for field, want := range c.want {
			if got := h.Get(field); got != want {
				t.Errorf("%s: %s: %s, want %s", name, field, got, want)
			}
		}
	}
}

func TestTierUnmarshalText(t *testing.T) {
	var tier limits.Tier
	if err := tier.UnmarshalText([]byte("20/10s 1200/1h")); err != nil || tier != tight {
		t.Errorf("%+v, %v", tier, err)
	}
	if err := tier.UnmarshalText([]byte("  20/10.0009s   1200/1h ")); err != nil || tier != tight { // whole milliseconds
		t.Errorf("%+v, %v", tier, err)
	}
	for _, good := range []string{"1/1s 1/1s", "1000000/1h 1000000/24h"} {
		if err := tier.UnmarshalText([]byte(good)); err != nil {
			t.Errorf("%q: %v", good, err)
		}
	}
	for _, bad := range []string{"", "20/10s", "20 1200", "1000001/1s 1/1s", "1/1s 1/24h1s", "1/1h1s 1/1h", "1/999ms 1/1s", "0/1s 1/1s", "-1/1s 1/1s", "1/0s 1/1s", "1/1ms 1/1s", "1/2h 1/1h", "1/1s 1/48h", "2000000/1s 1/1s", "a/1s 1/1s", "1/1s 1/x"} {
		if err := tier.UnmarshalText([]byte(bad)); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}
