package sharing

import (
	"context"
	"errors"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	"vitae.internal/services/candidate/internal/profile"
	"vitae.internal/services/candidate/internal/projection"
)

// errNoCv is returned if the person shares no CV, or if the shared CV has been deleted. A deleted
// CV is never replaced with a different one (behaviour: sharing#no-cv-to-share).
var errNoCv = errs.New(errs.NotFound, "CV_NOT_FOUND", "The account has no CV to share yet.")

// Store reads people and CVs. Every method is a single indexed query, unless stated otherwise.
type Store interface {
	// Reference returns a person and their CV cvID, but without the CV's content. It returns
	// profile.ErrProfileNotFound if there is no such person.
	Reference(ctx context.Context, personID, cvID string) (projection.Source, error)
	// Document returns a person and their CV cvID, including the CV's content. It returns
	// profile.ErrProfileNotFound if there is no such person.
	Document(ctx context.Context, personID, cvID string) (projection.Source, error)
	// Published returns the person with the given handle, regardless of case, and the main CV. If
	// the photo is stored, it is inlined, which takes a second query. Published returns
	// profile.ErrProfileNotFound if there is no public profile with the handle.
	Published(ctx context.Context, username string) (projection.Source, error)
	// Own returns the same as Document, but with the photo inlined. It is for viewing by the person
	// themselves. It returns profile.ErrProfileNotFound if there is no such person.
	Own(ctx context.Context, personID, cvID string) (projection.Source, error)
}

// Consent is the consent under which data is read.
type Consent struct {
	projection.Grant
	PersonID string
	CvID     string
}

// Config holds the dependencies of a Service. All are required.
type Config struct {
	Store Store
	Pages *projection.Pages
}

// Service returns shared data.
type Service struct{ cfg Config }

// NewService returns a Service.
func NewService(c Config) (*Service, error) {
	if c.Store == nil || c.Pages == nil {
		return nil, errors.New("sharing: Store and Pages are required")
	}
	return &Service{c}, nil
}

// User returns the signed-in person. It returns PROFILE_NOT_FOUND if they have no profile.
func (s *Service) User(ctx context.Context, c Consent) (*candidatev1.SignedInUser, error) {
	source, err := s.cfg.Store.Reference(ctx, c.PersonID, c.CvID)
	if err != nil {
		return nil, err
	}
	return s.cfg.Pages.ShareUser(source, c.Grant), nil
}

// Cv returns the shared CV. It returns CV_NOT_FOUND if there is none.
func (s *Service) Cv(ctx context.Context, c Consent) (projection.SharedCv, error) {
	source, err := s.cfg.Store.Document(ctx, c.PersonID, c.CvID)
	if errors.Is(err, profile.ErrProfileNotFound) {
		return projection.SharedCv{}, errNoCv
	}
	if err != nil {
		return projection.SharedCv{}, err
	}
	shared, ok := s.cfg.Pages.ShareCv(source, c.Grant)
	if !ok {
		return projection.SharedCv{}, errNoCv
	}
	return shared, nil
}

// Document returns a CV for its owner's PDF. It contains everything that a consent can share,
// except a durable link. Document returns CV_NOT_FOUND if there is no such CV.
func (s *Service) Document(ctx context.Context, personID, cvID string) (projection.SharedCv, error) {
	if !fault.IsStorable(personID) || !fault.IsStorable(cvID) {
		return projection.SharedCv{}, errNoCv
	}
	shared, err := s.Cv(ctx, Consent{Grant: projection.Everything(), PersonID: personID, CvID: cvID})
	if err == nil {
		shared.Pdf = nil
	}
	return shared, err
}

// Legacy returns a person's profile for the legacy interface, which includes the main CV. It
// returns PROFILE_NOT_FOUND if the person has no profile.
func (s *Service) Legacy(ctx context.Context, c Consent) (*candidatev1.LegacyProfile, error) {
	source, err := s.cfg.Store.Document(ctx, c.PersonID, profile.MainCvID)
	if err != nil {
		return nil, err
	}
	return projection.ShareLegacy(source, c.Grant), nil
}

// Public returns the public page of the person with the given handle. It returns PROFILE_NOT_FOUND
// if there is no public page.
func (s *Service) Public(ctx context.Context, username string) (projection.Public, error) {
	if !profile.IsUsername(username) {
		return projection.Public{}, profile.ErrProfileNotFound
	}
	source, err := s.cfg.Store.Published(ctx, username)
	if err != nil {
		return projection.Public{}, err
	}
	page, ok := s.cfg.Pages.Publish(source)
	if !ok {
		return projection.Public{}, profile.ErrProfileNotFound
	}
	return page, nil
}

// Preview returns a person's CV as the public page would show it (behaviour: profiles#preview). If
// written is not nil, it contains unsaved changes. Preview returns PROFILE_NOT_FOUND, or
// CV_NOT_FOUND for an unknown CV other than the main CV.
func (s *Service) Preview(ctx context.Context, personID, cvID string, written *profile.Profile) (projection.Public, error) {
	source, err := s.cfg.Store.Own(ctx, personID, cvID)
	if err != nil {
		return projection.Public{}, err
	}
	if source.Cv == nil && cvID != profile.MainCvID {
		return projection.Public{}, profile.ErrCvNotFound
	}
	if written != nil {
		source = source.With(cvID, *written)
	}
	return s.cfg.Pages.Preview(source), nil
}
