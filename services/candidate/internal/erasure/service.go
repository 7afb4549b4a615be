package erasure

import (
	"context"
	"errors"
	"fmt"

	"vitae.internal/pkg/fault"
	"vitae.internal/services/candidate/internal/export"
)

// batch is the maximum number of rows deleted per statement.
const batch = 100

// Resume is an uploaded file with the key of its bytes.
type Resume struct{ ID, Key string }

// Store deletes rows.
type Store interface {
	// ResumesOf returns up to atMost of a person's resumes.
	ResumesOf(ctx context.Context, personID string, atMost int) ([]Resume, error)
	// EraseResume deletes the row of a resume.
	EraseResume(ctx context.Context, id string) error
	// EraseApplications deletes up to atMost of a person's applications and updates the counts in
	// the same transaction. It returns the number of deleted applications.
	EraseApplications(ctx context.Context, personID string, atMost int) (int, error)
	// EraseProfile deletes a person's profile with its CVs, photo and exports. It also anonymizes
	// the audit events that the auth service has not received yet.
	EraseProfile(ctx context.Context, personID string) error
}

// Files removes bytes. Package blobs implements it.
type Files interface {
	// Remove removes everything whose key starts with key.
	Remove(ctx context.Context, key string) error
}

// Service deletes people's data.
type Service struct {
	store     Store
	files     Files
	deletions Deletions
}

// NewService returns a Service.
func NewService(store Store, files Files, deletions Deletions) (*Service, error) {
	if store == nil || files == nil || deletions == nil {
		return nil, errors.New("erasure: a store, files and deletions are required")
	}
	return &Service{store: store, files: files, deletions: deletions}, nil
}

// Erase deletes all data about a person. It succeeds if the person is unknown.
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
	// If a worker is writing an export at this time, it finds that the row is gone, and removes the
	// file.
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
