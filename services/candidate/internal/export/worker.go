package export

import (
	"context"
	"errors"
	"time"

	"vitae.internal/pkg/background"
)

const (
	// every is the time between two rounds. It is short because people are waiting for their exports.
	every = time.Second
	// hold is how long the lease on an export lasts after each step. Every step takes less time. If a worker
	// dies, the export is restarted after this time.
	hold = time.Minute
	// within limits how long creating an export may take. The auth service waits longer than this before it
	// checks whether any data of a deleted person is left.
	within = 10 * time.Minute
	// mostAttempts is the maximum number of attempts. The pause after attempt n is n times pauseFirst.
	mostAttempts = 6
	pauseFirst   = 10 * time.Second
)

// errLost means that a different worker has taken over the export, or that the export has been deleted.
var errLost = errors.New("export: another worker has it, or it is gone")

// Job returns the job that creates, announces and removes exports. Every replica runs it and works on one
// export at a time.
func (s *Service) Job() background.Job {
	return background.Job{Every: every, Warning: "cannot create an export; trying again in the next round", Round: s.Round}
}

// Round handles all exports that are due.
func (s *Service) Round(ctx context.Context) error {
	return background.Each(func() ([]Export, error) {
		now := s.cfg.Clock.Now()
		return s.cfg.Store.LeaseExport(ctx, now, now.Add(hold))
	}, func(e Export) error { return s.advance(ctx, e) })
}

// advance performs the next step of an export.
func (s *Service) advance(ctx context.Context, e Export) error {
	now := s.cfg.Clock.Now()
	switch {
	case e.State == BeingMade:
		return s.attempt(ctx, e)
	case e.State == Ready && !e.Announced && !e.expired(now):
		if err := s.cfg.Account.Announce(ctx, e); err != nil {
			return err // the export becomes due again when the lease expires
		}
		e.Announced = true
		return s.cfg.Store.MoveExport(ctx, e, e.ExpiresAt)
	case e.State == Failed && now.Before(e.RequestedAt.Add(Within)):
		return s.cfg.Store.MoveExport(ctx, e, e.RequestedAt.Add(Within)) // the page shows the failure until then
	}
	return s.remove(ctx, e, now)
}

// remove deletes the bytes of an export. Its row is kept for as long as it counts against the limit.
func (s *Service) remove(ctx context.Context, e Export, now time.Time) error {
	if err := s.cfg.Files.Remove(ctx, e.key()); err != nil {
		return err
	}
	if counts := e.RequestedAt.Add(Within); now.Before(counts) {
		e.State = Removed
		return s.cfg.Store.MoveExport(ctx, e, counts)
	}
	return s.cfg.Store.DeleteExport(ctx, e.ID)
}

// attempt creates an export, or schedules the next attempt if that fails.
func (s *Service) attempt(ctx context.Context, e Export) error {
	making, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	err := s.make(making, e)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, errLost):
		// A different worker may have finished the export. If the export has been deleted, its owner has been
		// deleted too, and this worker must delete the bytes that it has written.
		return s.removeOrphan(ctx, e)
	case ctx.Err() != nil:
		return ctx.Err() // the service is stopping; a different worker will start again
	}
	s.cfg.Log.WarnContext(ctx, "an export cannot be made now", "export", e.ID, "attempt", e.Attempts, "error", err)
	if e.Attempts >= mostAttempts {
		e.State = Failed
		return errors.Join(s.cfg.Files.Remove(ctx, e.key()), s.cfg.Store.MoveExport(ctx, e, s.cfg.Clock.Now()))
	}
	return s.cfg.Store.MoveExport(ctx, e, s.cfg.Clock.Now().Add(time.Duration(e.Attempts)*pauseFirst))
}

// removeOrphan deletes the bytes of an export that no longer has a row.
func (s *Service) removeOrphan(ctx context.Context, e Export) error {
	all, err := s.cfg.Store.Exports(ctx, e.PersonID, e.RequestedAt.Add(-time.Second))
	if err != nil {
		return err
	}
	for _, one := range all {
		if one.ID == e.ID && one.State != Removed {
			return nil
		}
	}
	return s.cfg.Files.Remove(ctx, e.key())
}
