// Package newprofile creates profiles for people who have signed up. The auth service lists these
// people until their profiles are stored (behaviour: accounts#the-profile-of-a-new-account).
//
// Package profile rejects a second profile for a person, so creating one twice does no harm.
package newprofile

import (
	"context"
	"errors"
	"fmt"
	"time"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/background"
	"vitae.internal/pkg/errs"
	"vitae.internal/services/candidate/internal/profile"
)

// every is the time between the job's calls to the auth service. Most profiles are created
// immediately, by Create.
const every = 5 * time.Second

// SignUps lists new profiles. The auth service implements it.
type SignUps interface {
	// NewProfiles lists the oldest new profiles. If personID is not empty, it lists only those of
	// that person.
	NewProfiles(ctx context.Context, personID string) ([]profile.Person, error)
	// DropNewProfile removes a profile from the list.
	DropNewProfile(ctx context.Context, personID string) error
}

// Profiles creates profiles. profile.Service implements it.
type Profiles interface {
	Create(ctx context.Context, p profile.Profile) (profile.Profile, error)
}

// Service creates new profiles.
type Service struct {
	signUps  SignUps
	profiles Profiles
}

// NewService returns a Service.
func NewService(signUps SignUps, profiles Profiles) (*Service, error) {
	if signUps == nil || profiles == nil {
		return nil, errors.New("newprofile: sign-ups and profiles are required")
	}
	return &Service{signUps, profiles}, nil
}

// Create creates a person's new profile, and reports whether there was one to create.
func (s *Service) Create(ctx context.Context, personID string) (bool, error) {
	list, err := s.signUps.NewProfiles(ctx, personID)
	if err != nil || len(list) == 0 {
		return false, err
	}
	return s.create(ctx, list[0])
}

// Job returns the job that creates the profiles for which Create was not called.
func (s *Service) Job() background.Job {
	return background.Job{Every: every, Warning: "cannot create new profiles; trying again in the next round", Round: s.round}
}

// round tries to create every new profile, even if some fail.
func (s *Service) round(ctx context.Context) error {
	list, err := s.signUps.NewProfiles(ctx, "")
	if err != nil {
		return err
	}
	var faults []error
	for _, p := range list {
		_, err := s.create(audit.NewContext(ctx, audit.NewCall(audit.Event{
			Action: audit.ProfileCreate, Actor: audit.Actor{Kind: audit.Service}, Caller: "candidate", Object: audit.Object{Type: "profile"},
		})), p)
		faults = append(faults, err)
	}
	return errors.Join(faults...)
}

func (s *Service) create(ctx context.Context, p profile.Person) (created bool, err error) {
	_, err = s.profiles.Create(ctx, profile.Profile{Person: p})
	if err != nil && !errs.HasCode(err, profile.ErrProfileExists.Code) {
		return false, fmt.Errorf("create the profile of %s: %w", p.ID, err)
	}
	return err == nil, s.signUps.DropNewProfile(ctx, p.ID)
}
