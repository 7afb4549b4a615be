package profile

import (
	"context"
	"errors"
	"slices"

	"google.golang.org/protobuf/proto"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
	"vitae.internal/services/candidate/internal/cv"
)

// Config holds the dependencies of a Service. All are required.
type Config struct {
	Store    Store
	Pictures Pictures
	Clock    clock.Clock
}

// Service implements the use cases for profiles and CVs.
type Service struct{ cfg Config }

// NewService returns a Service.
func NewService(c Config) (*Service, error) {
	if c.Store == nil || c.Pictures == nil || c.Clock == nil {
		return nil, errors.New("profile: Store, Pictures and Clock are required")
	}
	return &Service{c}, nil
}

// Create adds a profile. It returns PROFILE_EXISTS, USERNAME_TAKEN, or an INVALID_ARGUMENT error that names
// every invalid field.
func (s *Service) Create(ctx context.Context, p Profile) (Profile, error) {
	faults := p.validateNew()
	if err := s.takePhoto(ctx, &p, nil, faults); err != nil {
		return Profile{}, err
	}
	if err := faults.Err(); err != nil {
		return Profile{}, err
	}
	p.toStore()
	p.CreatedAt = s.cfg.Clock.Now()
	p.UpdatedAt = p.CreatedAt
	if err := s.cfg.Store.CreateProfile(ctx, p); err != nil {
		return Profile{}, err
	}
	return p, nil
}

// ValidateCreate performs the checks of Create without writing anything. If the id or handle is taken, it
// reports that together with the other errors. It returns the same errors as Create.
func (s *Service) ValidateCreate(ctx context.Context, p Profile) error {
	faults := p.validateNew()
	if err := s.takePhoto(ctx, &p, nil, faults); err != nil {
		return err
	}
	taken, err := s.taken(ctx, p, faults)
	if err != nil {
		return err
	}
	if taken == nil {
		return faults.Err()
	}
	if faults.Err() == nil {
		return taken
	}
	if err := faults.Merge(taken); err != nil {
		return err
	}
	return faults.Err()
}

// taken returns the error that the store would return to Create, or nil. It does not look up invalid fields.
func (s *Service) taken(ctx context.Context, p Profile, faults *fault.List) (*errs.Error, error) {
	personID, username := p.ID, p.Username
	if faults.Has(ErrProfileExists.Field()) {
		personID = ""
	}
	if faults.Has(ErrUsernameTaken.Field()) {
		username = ""
	}
	if personID == "" && username == "" {
		return nil, nil
	}
	taken, err := s.cfg.Store.Taken(ctx, personID, username)
	taken.Username = taken.Username || IsReservedHandle(username)
	switch {
	case err != nil:
		return nil, err
	case taken.Person && taken.Username:
		return ErrProfileExists.WithViolations(slices.Concat(ErrProfileExists.Violations, ErrUsernameTaken.Violations)...), nil
	case taken.Person:
		return ErrProfileExists, nil
	case taken.Username:
		return ErrUsernameTaken, nil
	}
	return nil, nil
}

// toStore converts the content and the details to their stored form, and sets HasMainCv.
func (p *Profile) toStore() {
	p.Content, p.HasMainCv = cv.ToStore(p.Content), cv.HasCV(p.Content)
	if p.Details = proto.CloneOf(p.Details); p.Details != nil {
		cv.ClearBlank(p.Details.ProtoReflect())
	}
	if IsEmpty(p.Details) {
		p.Details = nil
	}
}

// ByID returns a profile. It returns PROFILE_NOT_FOUND if there is none.
func (s *Service) ByID(ctx context.Context, personID string) (Profile, error) {
	if !fault.IsStorable(personID) {
		return Profile{}, ErrProfileNotFound
	}
	return s.cfg.Store.ProfileByID(ctx, personID)
}

// ByUsername returns the profile with the given handle, regardless of case. It returns PROFILE_NOT_FOUND if
// there is none.
func (s *Service) ByUsername(ctx context.Context, username string) (Profile, error) {
	if !IsUsername(username) {
		return Profile{}, ErrProfileNotFound
	}
	return s.cfg.Store.ProfileByUsername(ctx, username)
}

// Update replaces those fields of the profile p.ID that are in mask. It returns PROFILE_NOT_FOUND,
// USERNAME_TAKEN, or an INVALID_ARGUMENT error that names update_mask and every invalid field.
func (s *Service) Update(ctx context.Context, p Profile, mask []Field) (Profile, error) {
	faults := p.validateChange(mask)
	storable := fault.IsStorable(p.ID)
	if storable && slices.Contains(mask, FieldAvatarURL) {
		kept, err := s.cfg.Store.KeptPhoto(ctx, p.ID)
		if err == nil {
			err = s.takePhoto(ctx, &p, kept, faults)
		}
		if err != nil {
			return Profile{}, err
		}
	}
	if err := faults.Err(); err != nil {
		return Profile{}, err
	}
	if !storable {
		return Profile{}, ErrProfileNotFound
	}
	p.toStore()
	p.UpdatedAt = s.cfg.Clock.Now()
	return s.cfg.Store.UpdateProfile(ctx, p, mask)
}

// Choice returns what a person can share, or an empty Choice for an unknown person.
func (s *Service) Choice(ctx context.Context, personID string) (Choice, error) {
	if !fault.IsStorable(personID) {
		return Choice{}, nil
	}
	return s.cfg.Store.Choice(ctx, personID)
}
