package photo

import (
	"context"
	"errors"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
	"vitae.internal/services/candidate/internal/profile"
)

// ErrNotFound is for a person without a photo.
var ErrNotFound = errs.New(errs.NotFound, "PHOTO_NOT_FOUND", "There is no such photo.")

// Stored is the stored photo of a profile.
type Stored struct {
	// Address is the avatar_url of the profile; empty for none.
	Address string
	// JPEG is the picture if Address is profile.KeptPhoto.
	JPEG []byte
}

// Photo is a stored picture or an external URL.
type Photo struct {
	// JPEG has at most 512 pixels on a side; nil for an external photo.
	JPEG []byte
	// Address is the unchecked http or https URL of an external photo.
	Address string
}

// Store reads photos.
type Store interface {
	// Photo returns the photo of a person. Errors: ErrNotFound for an unknown person.
	Photo(ctx context.Context, personID string) (Stored, error)
}

// Service serves photos.
type Service struct{ store Store }

// NewService returns a Service.
func NewService(store Store) (*Service, error) {
	if store == nil {
		return nil, errors.New("photo: a store is required")
	}
	return &Service{store: store}, nil
}

// Get returns the photo of a person. Errors: ErrNotFound.
func (s *Service) Get(ctx context.Context, personID string) (Photo, error) {
	if !fault.IsStorable(personID) {
		return Photo{}, ErrNotFound
	}
	stored, err := s.store.Photo(ctx, personID)
	if err != nil {
		return Photo{}, err
	}
	switch {
	case stored.Address == profile.KeptPhoto && stored.JPEG != nil:
		return Photo{JPEG: stored.JPEG}, nil
	case stored.Address == "" || stored.Address == profile.KeptPhoto:
		return Photo{}, ErrNotFound
	}
	return Photo{Address: stored.Address}, nil
}
