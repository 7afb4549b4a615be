package developer

import (
	"time"

	"vitae.internal/services/auth/internal/oauth/scope"
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

// Of returns the budget of an account: the configured one for a named plan, the stored one
// for a custom plan.
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
	// SuspensionReason is what operators have told the members of a suspended account; it may
	// be empty.
	SuspensionReason string
	CreatedAt        time.Time
	// VerifiedAt is when operators verified the identity behind the account; nil if they
	// haven't.
	VerifiedAt *time.Time
	// ClosedAt is nil for an open account.
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
	// LogoURL is the external address of a logo, LogoVersion the version of an uploaded one;
	// both may be empty.
	LogoURL, LogoVersion string
	// Homepage, PrivacyPolicy and Terms are URLs, Support is a URL or an email address; all
	// may be empty.
	Homepage, PrivacyPolicy, Terms, Support string
	ClientID                                string
	ClientType                              ClientType
	RedirectURIs                            []string
	Scopes                                  scope.Set
	// Legacy is true if the app may use the legacy interface.
	Legacy    bool
	CreatedAt time.Time
	// CreatedBy is the creator; empty if unknown.
	CreatedBy string
	// UpdatedAt is CreatedAt until the first change.
	UpdatedAt time.Time
	// DeletedAt is nil unless the app is deleted.
	DeletedAt *time.Time
}

// ListedApp is an app with the number of its live connections.
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
	// ExpiresAt is nil for a key that doesn't expire.
	ExpiresAt *time.Time
	CreatedAt time.Time
	// Hint is the last characters of the secret; empty for a key created before hints were
	// stored.
	Hint string
	// CreatedBy is the creator; empty if unknown.
	CreatedBy string
	// LastUsedAt is nil for an unused key. It may be a minute late.
	LastUsedAt *time.Time
	// DeletedAt is nil unless the key is deleted.
	DeletedAt *time.Time
}
