package erasure

import (
	"context"
	"errors"
	"fmt"

	"vitae.internal/pkg/fault"
	"vitae.internal/services/candidate/internal/export"
)

// batch bounds the rows of one statement.
const batch = 100

// Resume is an uploaded file: its id, and where its bytes are.
type Resume struct{ ID, Key string }

// Store deletes rows.
type Store interface {
	// ResumesOf gives at most so many resumes of a person.
	ResumesOf(ctx context.Context, personID string, atMost int) ([]Resume, error)
	// EraseResume deletes the row of a resume.
	EraseResume(ctx context.Context, id string) error
	// EraseApplications deletes at most so many applications of a person, with what they
	// count, in one transaction, and gives how many there were.
	EraseApplications(ctx context.Context, personID string, atMost int) (int, error)
	// EraseProfile deletes the profile of a person, with CVs, photo and exports, and makes
	// the events of the audit log nobody's that auth does not have yet.
	EraseProfile(ctx context.Context, personID string) error
}

// Files keeps bytes. Package blobs implements it.
type Files interface {
	// Remove removes everything whose key begins with key.
	Remove(ctx context.Context, key string) error
}

// Service deletes.
type Service struct {
	store Store
	files Files
}

// NewService makes the use case.
func NewService(store Store, files Files) (*Service, error) {
	if store == nil || files == nil {
		return nil, errors.New("erasure: a store and files are required")
	}
	return &Service{store: store, files: files}, nil
}

// Erase deletes everything of a person. It succeeds for one that is gone.
func (s *Service) Erase(ctx context.Context, personID string) error {
	if !fault.IsStorable(personID) {
		return nil
	}
	if err := s.resumes(ctx, personID); err != nil {
		return err
	}
	if err := s.applications(ctx, personID); err != nil {
		return err
	}
	// A worker that makes an export at this moment finds no row at its end, and removes what it
	// has written.
	if err := s.store.EraseProfile(ctx, personID); err != nil {
		return err
	}
	return s.files.Remove(ctx, export.KeysOf(personID))
}

func (s *Service) resumes(ctx context.Context, personID string) error {
	for {
		some, err := s.store.ResumesOf(ctx, personID, batch)
		if err != nil || len(some) == 0 {
			return err
		}
		for _, r := range some {
			if err := s.files.Remove(ctx, r.Key); err != nil {
				return fmt.Errorf("erase resume %s: %w", r.ID, err)
			}
			if err := s.store.EraseResume(ctx, r.ID); err != nil {
				return err
			}
		}
	}
}

func (s *Service) applications(ctx context.Context, personID string) error {
	for {
		n, err := s.store.EraseApplications(ctx, personID, batch)
		if err != nil || n == 0 {
			return err
		}
	}
}
