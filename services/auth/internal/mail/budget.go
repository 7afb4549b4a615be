package mail

import (
	"crypto/sha256"
	"strings"
	"time"
)

// The limit of each Budget of a mailbox on the emails that anyone can trigger: BudgetBurst at once
// (see Burst for exceptions), and one more every BudgetEvery (behaviour: accounts#email-budgets).
const (
	BudgetBurst = 5
	BudgetEvery = time.Hour
)

// Budget is what a requested email counts against.
type Budget string

// The budgets of a mailbox. They are separate so that no request uses up the emails of another
// kind, and strangers cannot use up those of a browser that the account knows.
const (
	SignUps       Budget = "sign-up"
	Resets        Budget = "reset"
	ResetsAgain   Budget = "reset again"
	ResetsByKnown Budget = "reset in a known browser"
	// Invitations limits those that a mailbox receives, InvitationsOf those that an account sends.
	// Teams limits emails to owners about their accounts.
	Invitations   Budget = "invitation"
	InvitationsOf Budget = "invitations of an account"
	Teams         Budget = "developer account"
)

// Budgets are all budgets of a mailbox.
var Budgets = []Budget{SignUps, Resets, ResetsAgain, ResetsByKnown, Invitations, Teams}

// Burst returns how many emails of a budget may be sent at once. People who set up an app create
// several credentials in one day and invite the whole team.
func (b Budget) Burst() int {
	if b == InvitationsOf || b == Teams {
		return 20
	}
	return BudgetBurst
}

// Of returns the key of the budget for an address. All plus-tags of a mailbox share one budget of
// sign-ups and one of invitations, because an email is sent to each tag. A reset is only sent to
// the address of an account, so each address has its own budgets of resets. If tags shared them,
// requests for tags without an account would use up those of the account.
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
