package app

import (
	"time"

	"vitae.internal/services/auth/internal/oauth/scope"
)

// ClientType is an app's OAuth client type (RFC 6749 §2.1).
type ClientType string

// The client types.
const (
	Confidential ClientType = "confidential"
	Public       ClientType = "public"
)

// App is an app that belongs to a developer account.
type App struct {
	ID          string
	AccountID   string
	Name        string
	Description string
	// LogoURL is the URL of an external logo; LogoVersion is the version of an uploaded logo. Both
	// may be empty.
	LogoURL, LogoVersion string
	// Homepage, PrivacyPolicy and Terms are URLs; Support is a URL or an email address. All may be
	// empty.
	Homepage, PrivacyPolicy, Terms, Support string
	ClientID                                string
	ClientType                              ClientType
	RedirectURIs                            []string
	Scopes                                  scope.Set
	// Legacy is true if the app may use the legacy interface.
	Legacy    bool
	CreatedAt time.Time
	// CreatedBy is the person or service that created the app, or empty if unknown.
	CreatedBy string
	// UpdatedAt equals CreatedAt until the app is changed for the first time.
	UpdatedAt time.Time
	// DeletedAt is nil unless the app is deleted.
	DeletedAt *time.Time
}

// Listed is an app together with its number of live connections.
type Listed struct {
	App
	Connections int64
}

// APIKey is an API key, but without its secret.
type APIKey struct {
	ID     string
	AppID  string
	Name   string
	Scopes scope.Set
	// ExpiresAt is nil for a key that doesn't expire.
	ExpiresAt *time.Time
	CreatedAt time.Time
	// Hint contains the last characters of the secret. It is empty for keys created before hints were stored.
	Hint string
	// CreatedBy is the person or service that created the key, or empty if unknown.
	CreatedBy string
	// LastUsedAt is nil for an unused key. It may lag by up to a minute.
	LastUsedAt *time.Time
	// DeletedAt is nil unless the key is deleted.
	DeletedAt *time.Time
}
