package mail

import (
	"bytes"
	"testing"
)

func TestPlusTagsShareSignUpBudget(t *testing.T) {
	t.Parallel()
	one := SignUps.Of("mira@example.com")
	for _, same := range []string{"mira+a@example.com", "mira+a+b@example.com", "mira+@example.com"} {
		if !bytes.Equal(SignUps.Of(same), one) {
			t.Errorf("%s has its own budget", same)
		}
	}
	seen := map[string]string{}
	for _, b := range []Budget{Resets, ResetsAgain, ResetsByKnown} {
		seen[string(b.Of("mira+a@example.com"))] = "mira+a@example.com"
	}
	for _, address := range []string{"mira@example.com", "mira@example.org", "+a@example.com", "+b@example.com", "mira"} {
		for _, b := range Budgets {
			key := string(b.Of(address))
			if other := seen[key]; other != "" {
				t.Errorf("%s, %s: shares the budget of %s", address, b, other)
			}
			seen[key] = address
		}
	}
}
