package mail

import (
	"crypto/sha256"
	"strings"
	"time"
)

// These limits apply to each Budget of a mailbox. Budgets limit the emails that anyone can trigger: BudgetBurst
// emails can be sent at once (see Burst for exceptions), and one more every BudgetEvery
// (behaviour: accounts#email-budgets).
const (
	BudgetBurst = 5
	BudgetEvery = time.Hour
)

// Budget identifies the limit that applies to a requested email.
type Budget string

// The budgets of a mailbox. Each kind of email has a separate budget, so requests for one kind cannot use up the
// emails of another. Requests from browsers that the account knows also have a separate budget, so strangers cannot
// use it up.
const (
	SignUps       Budget = "sign-up"
	Resets        Budget = "reset"
	ResetsAgain   Budget = "reset again"
	ResetsByKnown Budget = "reset in a known browser"
	// Invitations limits the invitations that a mailbox receives, and InvitationsOf limits the invitations that an
	// account sends. Teams limits emails that inform owners about their accounts.
	Invitations   Budget = "invitation"
	InvitationsOf Budget = "invitations of an account"
	Teams         Budget = "developer account"
)

// Budgets lists all of a mailbox's budgets.
var Budgets = []Budget{SignUps, Resets, ResetsAgain, ResetsByKnown, Invitations, Teams}

// Burst returns how many emails the budget allows at once. For some budgets the number is higher, because people who
// set up an app create several credentials in one day and invite the whole team.
func (b Budget) Burst() int {
	if b == InvitationsOf || b == Teams {
		return 20
	}
	return BudgetBurst
}

// Of returns the key of an email address's budget. All plus-tags of a mailbox share one sign-up budget and one
// invitation budget, because such an email can be sent to every tag. Reset budgets are separate for each address,
// because a reset is sent only to the exact address of an account. If tags shared them, requests for tags without an
// account would use up the account's budget.
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
