package detail

import (
	"context"
	"errors"

	"vitae.internal/pkg/id"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	"vitae.internal/services/candidate/internal/application"
	"vitae.internal/services/candidate/internal/profile"
	"vitae.internal/services/candidate/internal/projection"
	"vitae.internal/services/candidate/internal/resume"
)

// applicationPrefix is the prefix of application ids.
const applicationPrefix = "apl"

// Store reads applications.
type Store interface {
	// Detail returns an application to the app that manages its company. It returns
	// application.ErrApplicationNotFound or application.ErrNotManaged.
	Detail(ctx context.Context, appID, id string) (Stored, error)
	// Others returns a person's CVs, newest first, excluding the main CV and the CV with the id
	// given in except. It stops before their total size exceeds maxBytes.
	Others(ctx context.Context, personID, except string, maxBytes int64) ([]profile.Cv, error)
}

// Config holds the dependencies of a Service. All are required.
type Config struct {
	Store Store
	Links *resume.Service // creates download links for resumes
}

// Service implements the use case.
type Service struct{ cfg Config }

// NewService returns a Service.
func NewService(c Config) (*Service, error) {
	if c.Store == nil || c.Links == nil {
		return nil, errors.New("detail: Store and Links are required")
	}
	return &Service{c}, nil
}

// Get returns an application to the app that manages its company. It returns APPLICATION_NOT_FOUND
// or COMPANY_NOT_MANAGED_BY_APP.
func (s *Service) Get(ctx context.Context, appID, applicationID string) (Detail, error) {
	if !id.Valid(applicationPrefix, applicationID) {
		return Detail{}, application.ErrApplicationNotFound
	}
	stored, err := s.cfg.Store.Detail(ctx, appID, applicationID)
	if err != nil {
		return Detail{}, err
	}
	out := Detail{
		Row:         stored.Row,
		CoverLetter: stored.CoverLetter,
		Profile:     projection.ShowProfile(stored.Main.Content),
		Submitted:   frozen(stored.Frozen),
	}
	if out.Others, err = s.others(ctx, stored); err != nil {
		return Detail{}, err
	}
	if stored.Resume != nil {
		link, err := s.cfg.Links.Link(ctx, stored.Resume.Key)
		if err != nil {
			return Detail{}, err
		}
		out.Resume = &Download{Link: link, Filename: stored.Resume.Filename}
	}
	return out, nil
}

// others returns the person's CVs, excluding the current version of the submitted CV
// (behaviour: applications#other-cvs).
func (s *Service) others(ctx context.Context, stored Stored) ([]*candidatev1.CandidateCvDocument, error) {
	var submitted string
	if stored.Frozen != nil {
		submitted = stored.Frozen.ID
	}
	cvs, err := s.cfg.Store.Others(ctx, stored.PersonID, submitted, MaxOthers)
	if err != nil {
		return nil, err
	}
	var documents []*candidatev1.CandidateCvDocument
	if stored.Main.IsCv && submitted != profile.MainCvID {
		m := stored.Main
		documents = append(documents, document(profile.MainCvID, profile.MainCvTitle, m.CreatedAt, m.UpdatedAt, m.Content))
	}
	for _, c := range cvs {
		documents = append(documents, document(c.ID, c.Title, c.CreatedAt, c.UpdatedAt, c.Content))
	}
	return documents, nil
}
