package erasure

import (
	"context"
	"time"

	"vitae.internal/pkg/background"
)

const (
	// every is the time between the calls that ask the auth service whose data to delete.
	every = 5 * time.Second
	// within limits how long the deletion of one person may take. The leases of the auth service
	// are longer.
	within = time.Minute
)

// Due is one step in the deletion of a person.
type Due struct {
	PersonID string
	Step     int
}

// Deletions manages the deletion of accounts. The auth service implements it.
type Deletions interface {
	// LeaseErasures leases people whose data must be deleted now.
	LeaseErasures(ctx context.Context) ([]Due, error)
	// FinishErasure reports that all data of the person has been deleted.
	FinishErasure(ctx context.Context, d Due) error
}

// Job returns the job that deletes people's data. Every replica runs it.
func (s *Service) Job() background.Job {
	return background.Job{Every: every, Warning: "cannot delete a person's data; trying again in the next round", Round: s.round}
}

func (s *Service) round(ctx context.Context) error {
	return background.Each(func() ([]Due, error) { return s.deletions.LeaseErasures(ctx) }, func(d Due) error {
		ctx, cancel := context.WithTimeout(ctx, within)
		defer cancel()
		if err := s.Erase(ctx, d.PersonID); err != nil {
			return err
		}
		return s.deletions.FinishErasure(ctx, d)
	})
}
