package photo

import (
	"context"
	"errors"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
	"vitae.internal/services/candidate/internal/profile"
)

// ErrNotFound is a person without a photo.
var ErrNotFound = errs.New(errs.NotFound, "PHOTO_NOT_FOUND", "There is no such photo.")

// Stored is a photo as it is stored.
type Stored struct {
	// Address is the avatar_url of the profile; empty for none.
	Address string
	// JPEG is the picture that is kept, which counts if Address is profile.KeptPhoto.
	JPEG []byte
}

// Photo is a picture of ours, or where a picture lies.
type Photo struct {
	// JPEG of at most 512 pixels; nil if the picture lies elsewhere.
	JPEG []byte
	// Address is where it lies, an http or https URL that nobody has checked.
	Address string
}

// Store keeps photos.
type Store interface {
	// Photo gives the photo of a person. Errors: ErrNotFound for an unknown person.
	Photo(ctx context.Context, personID string) (Stored, error)
}

// Service is the use cases of photos.
type Service struct{ store Store }

// NewService makes the use cases.
func NewService(store Store) (*Service, error) {
	if store == nil {
		return nil, errors.New("photo: a store is required")
	}
	return &Service{store: store}, nil
}

// Get gives the photo of a person. Errors: ErrNotFound.
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
