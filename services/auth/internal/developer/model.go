package developer

import (
	"time"

	"vitae.internal/services/auth/internal/scope"
)

// PlanName names a plan (behaviour: limits#account-budget).
type PlanName string

// The plans.
const (
	Standard PlanName = "standard"
	Elevated PlanName = "elevated"
	Custom   PlanName = "custom"
)

// Plan is the request budget of an account.
type Plan struct {
	Name PlanName
	// PerMinute and PerDay are requests in a minute and in a UTC day.
	PerMinute, PerDay int32
}

// Plans are the budgets of the named plans.
type Plans struct{ Standard, Elevated Plan }

// Of gives the budget of an account with the stored plan: the configured budget of a
// named plan, or the stored one of a custom plan.
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
	// SuspensionReason is what operators have told the members of a suspended account; empty
	// for nothing.
	SuspensionReason string
	CreatedAt        time.Time
	// VerifiedAt is when operators verified who is behind it; nil while they have not.
	VerifiedAt *time.Time
	// ClosedAt is nil while it is open.
	ClosedAt *time.Time
}

// ClientType is the OAuth client type of an app (RFC 6749 §2.1).
type ClientType string

// The client types.
const (
	Confidential ClientType = "confidential"
	Public       ClientType = "public"
)

// App is an app of a developer account.
type App struct {
	ID          string
	AccountID   string
	Name        string
	Description string
	// LogoURL is the address of a logo elsewhere, LogoVersion the version of the uploaded
	// one; each is empty for none.
	LogoURL, LogoVersion string
	// Homepage, PrivacyPolicy and Terms are addresses of pages, Support is one or an e-mail
	// address; each is empty for none.
	Homepage, PrivacyPolicy, Terms, Support string
	ClientID                                string
	ClientType                              ClientType
	RedirectURIs                            []string
	Scopes                                  scope.Set
	// Legacy is true if the app may use the legacy interface.
	Legacy    bool
	CreatedAt time.Time
	// CreatedBy is who made it; empty if that is not known.
	CreatedBy string
	// UpdatedAt is CreatedAt until the first change.
	UpdatedAt time.Time
	// DeletedAt is nil for an app that was not deleted.
	DeletedAt *time.Time
}

// ListedApp is an app with the number of people's connections that live.
type ListedApp struct {
	App
	Connections int64
}

// APIKey is an API key without its secret.
type APIKey struct {
	ID     string
	AppID  string
	Name   string
	Scopes scope.Set
	// ExpiresAt is nil for a key without an end.
	ExpiresAt *time.Time
	CreatedAt time.Time
	// Hint is the last characters of the secret; empty for a key from before they were kept.
	Hint string
	// CreatedBy is who made it; empty if that is not known.
	CreatedBy string
	// LastUsedAt is nil for a key that was not used. It is up to a minute behind.
	LastUsedAt *time.Time
	// DeletedAt is nil for a key that was not deleted.
	DeletedAt *time.Time
}
