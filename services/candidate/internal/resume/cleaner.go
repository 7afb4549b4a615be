package resume

import (
	"context"
	"errors"
	"fmt"
	"time"
)

const (
	// cleanEvery is the pause between two rounds.
	cleanEvery = 10 * time.Minute
	// unclaimedAfter is when a resume goes that belongs to no application.
	unclaimedAfter = 24 * time.Hour
	// unfinishedAfter is when an upload goes that was cut short. It is far above what
	// an upload can take.
	unfinishedAfter = time.Hour
	// cleanBatch bounds the resumes of one statement.
	cleanBatch = 100
)

// Run cleans up until ctx ends.
func (s *Service) Run(ctx context.Context) {
	tick := time.NewTicker(cleanEvery)
	defer tick.Stop()
	for {
		if err := s.Clean(ctx); err != nil && ctx.Err() == nil {
			s.log.WarnContext(ctx, "resumes that nobody needs wait for the next round", "error", err)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// Clean removes every resume that belongs to no application and is too old. Any
// number of replicas may do so at once.
func (s *Service) Clean(ctx context.Context) error {
	for {
		now := s.clock.Now()
		old, err := s.store.GiveUpResumes(ctx, now.Add(-unfinishedAfter), now.Add(-unclaimedAfter), cleanBatch)
		if err != nil {
			return err
		}
		if err := s.remove(ctx, old); err != nil {
			return err // those that are left would come again, and again
		}
		if len(old) < cleanBatch {
			return nil
		}
	}
}

// remove takes away the bytes, then the rows. One that fails does not keep the
// rest.
func (s *Service) remove(ctx context.Context, old []Resume) error {
	var all error
	for _, r := range old {
		err := s.files.Remove(ctx, r.Key)
		if err == nil {
			err = s.store.DeleteResume(ctx, r.ID)
		}
		if err != nil {
			all = errors.Join(all, fmt.Errorf("remove resume %s: %w", r.ID, err))
		}
	}
	return all
}
