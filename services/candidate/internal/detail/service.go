package detail

import (
	"context"
	"errors"

	"vitae.internal/pkg/id"
	"vitae.internal/services/candidate/internal/application"
	"vitae.internal/services/candidate/internal/profile"
	"vitae.internal/services/candidate/internal/projection"
	"vitae.internal/services/candidate/internal/resume"
)

// applicationPrefix starts the id of every application.
const applicationPrefix = "apl"

// Store reads applications in full.
type Store interface {
	// Detail gives an application to the app that manages its company.
	// Errors: application.ErrApplicationNotFound, application.ErrNotManaged.
	Detail(ctx context.Context, appID, id string) (Stored, error)
	// Others gives the CVs of a person beside the main one and the one that is
	// excepted, newest first, as long as their content fits maxBytes.
	Others(ctx context.Context, personID, except string, maxBytes int64) ([]profile.Cv, error)
}

// Links signs addresses. resume.Service does.
type Links interface {
	// Link gives an address of the file at key.
	Link(ctx context.Context, key string) (resume.Link, error)
}

// Service is the use case.
type Service struct {
	store Store
	links Links
}

// NewService makes the use case.
func NewService(store Store, links Links) (*Service, error) {
	if store == nil || links == nil {
		return nil, errors.New("detail: a store and links are required")
	}
	return &Service{store: store, links: links}, nil
}

// Get gives an application in full to the app that manages its company. Errors:
// APPLICATION_NOT_FOUND, COMPANY_NOT_MANAGED_BY_APP.
func (s *Service) Get(ctx context.Context, appID, applicationID string) (Detail, error) {
	if !id.Valid(applicationPrefix, applicationID) {
		return Detail{}, application.ErrApplicationNotFound
	}
	stored, err := s.store.Detail(ctx, appID, applicationID)
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
		link, err := s.links.Link(ctx, stored.Resume.Key)
		if err != nil {
			return Detail{}, err
		}
		out.Resume = &Download{Link: link, Filename: stored.Resume.Filename}
	}
	return out, nil
}

// others are the CVs beside the submitted one, whose live version is not shown
// again (decision 78).
func (s *Service) others(ctx context.Context, stored Stored) ([]Document, error) {
	var submitted string
	if stored.Frozen != nil {
		submitted = stored.Frozen.ID
	}
	cvs, err := s.store.Others(ctx, stored.PersonID, submitted, MaxOthers)
	if err != nil {
		return nil, err
	}
	var documents []Document
	if stored.Main.IsCv && submitted != profile.MainCvID {
		documents = append(documents, mainCv(stored.Main))
	}
	for _, c := range cvs {
		documents = append(documents, live(c))
	}
	return documents, nil
}
