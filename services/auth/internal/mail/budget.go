package mail

import (
	"crypto/sha256"
	"strings"
	"time"
)

// The mail that anybody may have sent to a mailbox, of each Budget: BudgetBurst at once unless its Burst says otherwise, and one
// more every BudgetEvery (behaviour: accounts#email-budgets).
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
	// Invitations are those that a mailbox gets, InvitationsOf those that an account sends. Teams
	// are emails to owners about their accounts.
	Invitations   Budget = "invitation"
	InvitationsOf Budget = "invitations of an account"
	Teams         Budget = "developer account"
)

// Budgets are all budgets of a mailbox.
var Budgets = []Budget{SignUps, Resets, ResetsAgain, ResetsByKnown, Invitations, Teams}

// Burst is how many emails of a budget may go out at once. Whoever sets an app up makes several
// credentials on one day, and invites the whole team.
func (b Budget) Burst() int {
	if b == InvitationsOf || b == Teams {
		return 20
	}
	return BudgetBurst
}

// Of returns the key of the budget for an address. All plus-tags of a mailbox share one budget of
// sign-ups and one of invitations, because an email goes to each. A reset sends only to the address of an account, so each
// address has its own budgets of resets: with shared ones, requests for tags without an account would
// use up those of the account.
func (b Budget) Of(emailKey string) []byte {
	if b == SignUps || b == Invitations {
		emailKey = withoutTag(emailKey)
	}
	sum := sha256.Sum256([]byte(string(b) + " " + emailKey))
	return sum[:]
}

func withoutTag(emailKey string) string {
	local, domain := emailKey, ""
	if at := strings.LastIndexByte(emailKey, '@'); at >= 0 {
		local, domain = emailKey[:at], emailKey[at:]
	}
	if tag := strings.IndexByte(local, '+'); tag > 0 {
		local = local[:tag]
	}
	return local + domain
}
