package resume

import (
	"context"
	"errors"
	"fmt"
	"time"

	"vitae.internal/pkg/background"
)

const (
	cleanEvery = 10 * time.Minute
	// unclaimedAfter is the age at which a resume without an application is removed.
	unclaimedAfter = 24 * time.Hour
	// unfinishedAfter is the age at which an interrupted upload is removed. A real upload takes
	// much less time.
	unfinishedAfter = time.Hour
	// cleanBatch is the maximum number of resumes processed per statement.
	cleanBatch = 100
)

// CleanUpJob returns the job that runs Clean.
func (s *Service) CleanUpJob() background.Job {
	return background.Job{Every: cleanEvery, Warning: "cannot delete unused resumes; trying again in the next round", Round: s.Clean}
}

// Clean removes old resumes that do not belong to an application. Several replicas may run it at
// the same time.
func (s *Service) Clean(ctx context.Context) error {
	return background.Drain(cleanBatch, func() (int, error) {
		now := s.cfg.Clock.Now()
		old, err := s.cfg.Store.GiveUpResumes(ctx, now.Add(-unfinishedAfter), now.Add(-unclaimedAfter), cleanBatch)
		if err != nil {
			return 0, err
		}
		return len(old), s.remove(ctx, old) // stop on errors, because the next statement would return the same resumes
	})
}

// remove removes first the bytes and then the rows. It continues after errors.
func (s *Service) remove(ctx context.Context, old []Resume) error {
	var all error
	for _, r := range old {
		err := s.cfg.Files.Remove(ctx, r.Key)
		if err == nil {
			err = s.cfg.Store.DeleteResume(ctx, r.ID)
		}
		if err != nil {
			all = errors.Join(all, fmt.Errorf("remove resume %s: %w", r.ID, err))
		}
	}
	return all
}
