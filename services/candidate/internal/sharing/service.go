package sharing

import (
	"context"
	"errors"

	"vitae.internal/pkg/errs"
	"vitae.internal/services/candidate/internal/profile"
	"vitae.internal/services/candidate/internal/projection"
)

// errNoCv is the answer where a person shares no CV, or one that is gone: another
// one never takes its place (spec: Partner API errors).
var errNoCv = errs.New(errs.NotFound, "CV_NOT_FOUND", "The account has no CV to share yet.")

// Store reads what is shared. Every method is one indexed query.
type Store interface {
	// Reference gives a person and the CV cvID of theirs without its content.
	// Errors: profile.ErrProfileNotFound.
	Reference(ctx context.Context, personID, cvID string) (projection.Source, error)
	// Document gives a person and the CV cvID of theirs with its content.
	// Errors: profile.ErrProfileNotFound.
	Document(ctx context.Context, personID, cvID string) (projection.Source, error)
	// Published gives the person with the handle, in any case, and the main CV.
	// Errors: profile.ErrProfileNotFound.
	Published(ctx context.Context, username string) (projection.Source, error)
}

// Consent is on whose behalf something is read.
type Consent struct {
	projection.Grant
	// PersonID is who consented.
	PersonID string
	// CvID is the CV that the person chose.
	CvID string
}

// Service reads what is shared.
type Service struct {
	store Store
	pages projection.Pages
}

// NewService makes the reads on a store, for pages at an address.
func NewService(store Store, pages projection.Pages) (*Service, error) {
	if store == nil {
		return nil, errors.New("sharing: a store is required")
	}
	return &Service{store: store, pages: pages}, nil
}

// User gives the signed-in person. Errors: PROFILE_NOT_FOUND.
func (s *Service) User(ctx context.Context, c Consent) (projection.User, error) {
	source, err := s.store.Reference(ctx, c.PersonID, c.CvID)
	if err != nil {
		return projection.User{}, err
	}
	return s.pages.ShareUser(source, c.Grant), nil
}

// Cv gives the shared CV. Errors: CV_NOT_FOUND.
func (s *Service) Cv(ctx context.Context, c Consent) (projection.SharedCv, error) {
	source, err := s.store.Document(ctx, c.PersonID, c.CvID)
	if errors.Is(err, profile.ErrProfileNotFound) {
		return projection.SharedCv{}, errNoCv
	}
	if err != nil {
		return projection.SharedCv{}, err
	}
	shared, ok := s.pages.ShareCv(source, c.Grant)
	if !ok {
		return projection.SharedCv{}, errNoCv
	}
	return shared, nil
}

// Legacy gives the person as the older interface shows them, with the main CV:
// nothing was chosen there. Errors: PROFILE_NOT_FOUND.
func (s *Service) Legacy(ctx context.Context, c Consent) (projection.LegacyProfile, error) {
	source, err := s.store.Document(ctx, c.PersonID, profile.MainCvID)
	if err != nil {
		return projection.LegacyProfile{}, err
	}
	return projection.ShareLegacy(source, c.Grant), nil
}

// Public gives the public page of a handle. A page that is not there and one
// that its owner closed cannot be told apart. Errors: PROFILE_NOT_FOUND.
func (s *Service) Public(ctx context.Context, username string) (projection.Public, error) {
	if !profile.IsUsername(username) {
		return projection.Public{}, profile.ErrProfileNotFound
	}
	source, err := s.store.Published(ctx, username)
	if err != nil {
		return projection.Public{}, err
	}
	page, ok := s.pages.Publish(source)
	if !ok {
		return projection.Public{}, profile.ErrProfileNotFound
	}
	return page, nil
}
