package profile

import (
	"context"
	"errors"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/errs"
	"vitae.internal/services/candidate/internal/cv"
	"vitae.internal/services/candidate/internal/validate"
)

// The errors of this package, apart from INVALID_ARGUMENT.
var (
	ErrProfileNotFound = errs.New(errs.NotFound, "PROFILE_NOT_FOUND", "There is no such profile.")
	ErrProfileExists   = errs.New(errs.Exists, "PROFILE_EXISTS", "The person has a profile already.").WithField(root + ".person_id")
	ErrUsernameTaken   = errs.New(errs.Exists, "USERNAME_TAKEN", "The username is taken.").WithField(root + "." + string(FieldUsername))
	ErrCvNotFound      = errs.New(errs.NotFound, "CV_NOT_FOUND", "There is no such CV.")
	ErrTooManyCvs      = errs.New(errs.Precondition, "TOO_MANY_CVS", "The person has %d CVs, and cannot have more.", MaxCvs)
)

// Store keeps profiles and CVs. Every method is atomic: it does all or nothing.
type Store interface {
	// CreateProfile adds p. Errors: ErrProfileExists, ErrUsernameTaken.
	CreateProfile(ctx context.Context, p Profile) error
	// CheckFree says whether CreateProfile would find the person and the handle
	// free. Errors: as CreateProfile.
	CheckFree(ctx context.Context, personID, username string) error
	// ProfileByID and ProfileByUsername (in any case) give a profile.
	// Errors: ErrProfileNotFound.
	ProfileByID(ctx context.Context, personID string) (Profile, error)
	ProfileByUsername(ctx context.Context, username string) (Profile, error)
	// UpdateProfile replaces the fields of the profile p.ID with those of p, and
	// UpdatedAt, and gives the whole. Errors: ErrProfileNotFound, ErrUsernameTaken.
	UpdateProfile(ctx context.Context, p Profile, fields []Field) (Profile, error)
	// CreateCv adds c. Errors: ErrProfileNotFound, ErrTooManyCvs.
	CreateCv(ctx context.Context, c Cv) error
	// Cv gives a CV. Errors: ErrCvNotFound.
	Cv(ctx context.Context, id string) (Cv, error)
	// UpdateCv replaces what change names, and gives the whole.
	// Errors: ErrCvNotFound.
	UpdateCv(ctx context.Context, change CvChange) (Cv, error)
	// DeleteCv removes a CV. Errors: ErrCvNotFound.
	DeleteCv(ctx context.Context, id string) error
	// Choice gives what a person can share; nothing for an unknown person.
	Choice(ctx context.Context, personID string) (Choice, error)
}

// Service is the use cases of profiles and CVs.
type Service struct {
	store Store
	clock clock.Clock
}

// NewService makes the use cases on a store.
func NewService(store Store, clk clock.Clock) (*Service, error) {
	if store == nil || clk == nil {
		return nil, errors.New("profile: a store and a clock are required")
	}
	return &Service{store: store, clock: clk}, nil
}

// Create adds a profile. Errors: INVALID_ARGUMENT naming the field;
// PROFILE_EXISTS, USERNAME_TAKEN.
func (s *Service) Create(ctx context.Context, p Profile) (Profile, error) {
	if err := p.validateNew(); err != nil {
		return Profile{}, err
	}
	p.setContent(p.Content)
	p.CreatedAt = s.clock.Now()
	p.UpdatedAt = p.CreatedAt
	if err := s.store.CreateProfile(ctx, p); err != nil {
		return Profile{}, err
	}
	return p, nil
}

// CheckCreate makes the checks of Create and writes nothing. Errors: as Create.
func (s *Service) CheckCreate(ctx context.Context, p Profile) error {
	if err := p.validateNew(); err != nil {
		return err
	}
	return s.store.CheckFree(ctx, p.ID, p.Username)
}

func (p Profile) validateNew() error {
	var f validate.Fields
	f.Required(root+".person_id", p.ID, maxPersonID)
	f.Handle(root+".person_id", p.ID, maxPersonID)
	if err := f.Err(); err != nil {
		return err
	}
	return p.validate(order)
}

// setContent takes over a new content and what follows from it.
func (p *Profile) setContent(c cv.Content) {
	p.Content = c.WithIDs()
	p.HasMainCv = c.HasCV()
}

// ByID gives a profile. Errors: PROFILE_NOT_FOUND.
func (s *Service) ByID(ctx context.Context, personID string) (Profile, error) {
	if !isStorable(personID) {
		return Profile{}, ErrProfileNotFound
	}
	return s.store.ProfileByID(ctx, personID)
}

// ByUsername gives a profile by its handle in any case.
// Errors: PROFILE_NOT_FOUND.
func (s *Service) ByUsername(ctx context.Context, username string) (Profile, error) {
	if !IsUsername(username) {
		return Profile{}, ErrProfileNotFound
	}
	return s.store.ProfileByUsername(ctx, username)
}

// Update replaces fields of the profile p.ID with those of p.
// Errors: INVALID_ARGUMENT naming the field; PROFILE_NOT_FOUND, USERNAME_TAKEN.
func (s *Service) Update(ctx context.Context, p Profile, fields []Field) (Profile, error) {
	if err := p.validate(fields); err != nil {
		return Profile{}, err
	}
	if !isStorable(p.ID) {
		return Profile{}, ErrProfileNotFound
	}
	p.setContent(p.Content)
	p.UpdatedAt = s.clock.Now()
	return s.store.UpdateProfile(ctx, p, fields)
}

// Choice gives what a person can share; nothing for an unknown person.
func (s *Service) Choice(ctx context.Context, personID string) (Choice, error) {
	if !isStorable(personID) {
		return Choice{}, nil
	}
	return s.store.Choice(ctx, personID)
}
