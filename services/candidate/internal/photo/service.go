package photo

import (
	"context"
	"errors"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
	"vitae.internal/services/candidate/internal/profile"
)

// ErrNotFound is returned for a person without a photo.
var ErrNotFound = errs.New(errs.NotFound, "PHOTO_NOT_FOUND", "There is no such photo.")

// Stored is a profile's photo in its stored form.
type Stored struct {
	// Address is the profile's avatar_url, or empty if there is none.
	Address string
	// JPEG is the image if Address is profile.KeptPhoto.
	JPEG []byte
}

// Photo is a stored image or an external URL.
type Photo struct {
	// JPEG is an image of at most 512 pixels per side, or nil for an external photo.
	JPEG []byte
	// Address is the http or https URL of an external photo. It has not been validated.
	Address string
}

// Store reads photos.
type Store interface {
	// Photo returns a person's photo. It returns ErrNotFound if the person is unknown.
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

// Get returns a person's photo. It returns ErrNotFound if there is none.
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
