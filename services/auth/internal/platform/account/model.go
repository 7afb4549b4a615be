package account

import (
	"time"
)

// PlanName is the name of a plan (behaviour: limits#account-budget).
type PlanName string

// The plans.
const (
	Standard PlanName = "standard"
	Elevated PlanName = "elevated"
	Custom   PlanName = "custom"
)

// Plan is an account's request budget.
type Plan struct {
	Name PlanName
	// PerMinute and PerDay are the maximum numbers of requests per minute and per UTC day.
	PerMinute, PerDay int32
}

// Plans holds the budgets of the named plans.
type Plans struct{ Standard, Elevated Plan }

// Of returns an account's budget: the configured budget for a named plan, or the stored budget for a custom plan.
func (p Plans) Of(stored Plan) Plan {
	switch stored.Name {
	case Standard:
		return p.Standard
	case Elevated:
		return p.Elevated
	default:
		return stored
	}
}

// Account is a developer account.
type Account struct {
	ID          string
	Name        string
	Email       string
	Plan        Plan
	SuspendedAt *time.Time
	// SuspensionReason is the operators' message to the members of a suspended account. It may be
	// empty.
	SuspensionReason string
	CreatedAt        time.Time
	// VerifiedAt is when operators verified who owns the account, or nil if they haven't verified it.
	VerifiedAt *time.Time
	// ClosedAt is nil for an open account.
	ClosedAt *time.Time
}
