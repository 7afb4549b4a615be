package signup

import (
	"context"

	"vitae.internal/services/auth/internal/people/person"
)

// mostNewProfiles limits a list of new profiles.
const mostNewProfiles = 50

// NewProfile is a profile that candidate has yet to create.
type NewProfile struct {
	Person person.Person
	Name   string
}

// NewProfiles lists the oldest new profiles: of one person, or of everybody if personID is empty.
func (s *Service) NewProfiles(ctx context.Context, personID string) ([]NewProfile, error) {
	return s.cfg.Store.NewProfiles(ctx, personID, mostNewProfiles)
}

// DropNewProfile removes a profile that candidate has created.
func (s *Service) DropNewProfile(ctx context.Context, personID string) error {
	return s.cfg.Store.DropNewProfile(ctx, personID)
}
