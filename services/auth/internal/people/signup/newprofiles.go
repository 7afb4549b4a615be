package signup

import (
	"context"

	"vitae.internal/services/auth/internal/people/person"
)

// maxNewProfiles is the maximum number of profiles in a list.
const maxNewProfiles = 50

// NewProfile is a profile that the candidate service has yet to create.
type NewProfile struct {
	Person person.Person
	Name   string
}

// NewProfiles lists the oldest new profiles of one person or, if personID is empty, of all people.
func (s *Service) NewProfiles(ctx context.Context, personID string) ([]NewProfile, error) {
	return s.cfg.Store.NewProfiles(ctx, personID, maxNewProfiles)
}

// DropNewProfile removes a profile that the candidate service has created.
func (s *Service) DropNewProfile(ctx context.Context, personID string) error {
	return s.cfg.Store.DropNewProfile(ctx, personID)
}
