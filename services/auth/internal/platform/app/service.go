// Package app manages the apps of developer accounts, including their client secrets and API keys.
//
// It must never store a secret in plain text: it returns client secrets and API keys once, when it creates them.
package app

import (
	"errors"

	"vitae.internal/pkg/clock"
	"vitae.internal/services/auth/internal/credentials/revocation"
	"vitae.internal/services/auth/internal/mail"
	"vitae.internal/services/auth/internal/platform/account"
)

// Config configures a Service. All fields except Post are required.
type Config struct {
	Store       Store
	Accounts    *account.Service
	Revocations *revocation.Publisher
	Pictures    Pictures
	Clock       clock.Clock
	// Post creates the emails that owners receive. Its zero value creates none.
	Post mail.Post
}

// Service manages apps, secrets and keys.
type Service struct {
	store       Store
	accounts    *account.Service
	revocations *revocation.Publisher
	pictures    Pictures
	clock       clock.Clock
	post        mail.Post
}

// NewService returns a Service, or an error if a required field is missing.
func NewService(c Config) (*Service, error) {
	if c.Store == nil || c.Accounts == nil || c.Revocations == nil || c.Pictures == nil || c.Clock == nil {
		return nil, errors.New("app: Store, Accounts, Revocations, Pictures and Clock are required")
	}
	return &Service{store: c.Store, accounts: c.Accounts, revocations: c.Revocations, pictures: c.Pictures, clock: c.Clock, post: c.Post}, nil
}
