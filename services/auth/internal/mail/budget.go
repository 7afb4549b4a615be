package mail

import (
	"crypto/sha256"
	"strings"
	"time"
)

// The mail that anybody may have sent to a mailbox, of each Budget: BudgetBurst at once, and one
// more every BudgetEvery (behaviour: accounts#floods-of-mail).
const (
	BudgetBurst = 5
	BudgetEvery = time.Hour
)

// Budget is what a requested email counts against.
type Budget string

// The budgets of a mailbox. They are separate so that no request uses up the emails of another
// kind, and nobody else those of a browser that the account knows.
const (
	SignUps       Budget = "sign-up"
	Resets        Budget = "reset"
	ResetsAgain   Budget = "reset again"
	ResetsByKnown Budget = "reset in a known browser"
)

// Budgets are all budgets of a mailbox.
var Budgets = []Budget{SignUps, Resets, ResetsAgain, ResetsByKnown}

// Of returns the key of the budget for an address: the same for all plus-tags of a mailbox.
func (b Budget) Of(emailKey string) []byte {
	local, domain := emailKey, ""
	if at := strings.LastIndexByte(emailKey, '@'); at >= 0 {
		local, domain = emailKey[:at], emailKey[at:]
	}
	if tag := strings.IndexByte(local, '+'); tag > 0 {
		local = local[:tag]
	}
	sum := sha256.Sum256([]byte(string(b) + " " + local + domain))
	return sum[:]
}
