package signup

import (
	"context"

	"vitae.internal/services/auth/internal/people/person"
)

// maxNewProfiles is the maximum number of profiles in one list.
const maxNewProfiles = 50

// NewProfile is a profile that the candidate service has yet to create.
type NewProfile struct {
	Person person.Person
	Name   string
}

// NewProfiles lists the profiles that have been waiting longest. If personID is set, it lists only that person's
// profile.
func (s *Service) NewProfiles(ctx context.Context, personID string) ([]NewProfile, error) {
	return s.cfg.Store.NewProfiles(ctx, personID, maxNewProfiles)
}

// DropNewProfile removes a profile from the list after the candidate service has created it.
func (s *Service) DropNewProfile(ctx context.Context, personID string) error {
	return s.cfg.Store.DropNewProfile(ctx, personID)
}
