package photo

import (
	"context"
	"errors"
	"log/slog"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
	"vitae.internal/pkg/picture"
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

// Inline is a photo that is still in the profile.
type Inline struct {
	PersonID string
	// Address is the data URL.
	Address string
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
	// InlinePhotos gives photos that are still in profiles, by the order of the persons
	// after the given one.
	InlinePhotos(ctx context.Context, after string, atMost int) ([]Inline, error)
	// MovePhoto keeps jpeg in place of an inline photo, or nothing if it is nil. It does
	// all of it or nothing, and nothing if the profile has another photo meanwhile.
	MovePhoto(ctx context.Context, from Inline, jpeg []byte) error
}

// Config is what a Service needs. All fields are required.
type Config struct {
	Store    Store
	Pictures profile.Pictures
	Log      *slog.Logger
}

// Service is the use cases of photos.
type Service struct {
	store    Store
	pictures profile.Pictures
	log      *slog.Logger
}

// NewService makes the use cases.
func NewService(c Config) (*Service, error) {
	if c.Store == nil || c.Pictures == nil || c.Log == nil {
		return nil, errors.New("photo: Store, Pictures and Log are required")
	}
	return &Service{store: c.Store, pictures: c.Pictures, log: c.Log}, nil
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
	switch file, inline := profile.InlineFile(stored.Address); {
	case stored.Address == profile.KeptPhoto && stored.JPEG != nil:
		return Photo{JPEG: stored.JPEG}, nil
	case stored.Address == "" || stored.Address == profile.KeptPhoto:
		return Photo{}, ErrNotFound
	case inline: // it has not been moved yet
		jpeg, err := s.pictures.JPEG(ctx, file)
		if errs.HasCode(err, picture.ErrUnreadable.Code) {
			return Photo{}, ErrNotFound.WithCause(err)
		}
		return Photo{JPEG: jpeg}, err
	default:
		return Photo{Address: stored.Address}, nil
	}
}
