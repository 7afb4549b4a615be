package mail

import (
	"crypto/sha256"
	"strings"
	"time"
)

// These limits apply to each Budget of a mailbox, which counts emails that anyone can trigger. A
// budget allows BudgetBurst emails at once (see Burst for exceptions), and one more every
// BudgetEvery (behaviour: accounts#email-budgets).
const (
	BudgetBurst = 5
	BudgetEvery = time.Hour
)

// Budget identifies the limit that a requested email counts against.
type Budget string

// The budgets of a mailbox. They are separate so that requests of one kind cannot use up the emails
// of another kind. Strangers cannot use up the emails of a browser that the account knows either.
const (
	SignUps       Budget = "sign-up"
	Resets        Budget = "reset"
	ResetsAgain   Budget = "reset again"
	ResetsByKnown Budget = "reset in a known browser"
	// Invitations limits the invitations that a mailbox receives; InvitationsOf limits the
	// invitations that an account sends. Teams limits emails to owners about their accounts.
	Invitations   Budget = "invitation"
	InvitationsOf Budget = "invitations of an account"
	Teams         Budget = "developer account"
)

// Budgets lists all budgets of a mailbox.
var Budgets = []Budget{SignUps, Resets, ResetsAgain, ResetsByKnown, Invitations, Teams}

// Burst returns how many emails of a budget may be sent at once. It is higher for some budgets
// because people who set up an app create several credentials in one day and invite the whole team.
func (b Budget) Burst() int {
	if b == InvitationsOf || b == Teams {
		return 20
	}
	return BudgetBurst
}

// Of returns the key of the budget for an email address. All plus-tags of a mailbox share one
// sign-up budget and one invitation budget, because an email is sent to each tag. A reset is sent
// only to an account's own address, so each address has its own reset budgets. If tags shared them,
// requests for tags without an account would use up the budget of the account.
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
