package export

import (
	"context"
	"errors"
	"time"

	"vitae.internal/pkg/background"
)

const (
	// every is the pause between two looks for exports: somebody waits.
	every = time.Second
	// hold is how long a worker keeps others from an export after each step. It is longer
	// than a step takes, and how long an export waits whose worker has died.
	hold = time.Minute
	// within bounds the making of an export. auth waits longer before it looks for what is
	// left of a person.
	within = 10 * time.Minute
	// mostAttempts bounds how often an export is begun. A pause before the next one is
	// pauseFirst, and grows by as much with each.
	mostAttempts = 6
	pauseFirst   = 10 * time.Second
)

// errLost is for a worker whose export another one has, or which is gone.
var errLost = errors.New("export: another worker has it, or it is gone")

// Job is the job that makes exports, announces them, and removes those that have
// expired. Every replica runs it, for one export at a time.
func (s *Service) Job() background.Job {
	return background.Job{Every: every, Warning: "cannot create an export; trying again in the next round", Round: s.Round}
}

// Round does what there is to do with all exports that are due.
func (s *Service) Round(ctx context.Context) error {
	return background.Each(func() ([]Export, error) {
		now := s.cfg.Clock.Now()
		return s.cfg.Store.LeaseExport(ctx, now, now.Add(hold))
	}, func(e Export) error { return s.goOn(ctx, e) })
}

// goOn does what comes next for an export.
func (s *Service) goOn(ctx context.Context, e Export) error {
	now := s.cfg.Clock.Now()
	switch {
	case e.State == BeingMade:
		return s.attempt(ctx, e)
	case e.State == Ready && !e.Announced && !e.expired(now):
		if err := s.cfg.Account.Announce(ctx, e); err != nil {
			return err // it is due again after the hold
		}
		e.Announced = true
		return s.cfg.Store.MoveExport(ctx, e, e.ExpiresAt)
	case e.State == Failed && now.Before(e.RequestedAt.Add(Within)):
		return s.cfg.Store.MoveExport(ctx, e, e.RequestedAt.Add(Within)) // the page shows it until then
	}
	return s.remove(ctx, e, now)
}

// remove removes the bytes of an export. Its row stays as long as it counts.
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

// attempt makes an export, or says when it is tried again.
func (s *Service) attempt(ctx context.Context, e Export) error {
	making, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	err := s.make(making, e)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, errLost):
		// Another worker may have made it. If it is gone, so is its person, and this worker has
		// to remove what it has written.
		return s.removeOrphan(ctx, e)
	case ctx.Err() != nil:
		return ctx.Err() // the service stops; another worker begins anew
	}
	s.cfg.Log.WarnContext(ctx, "an export cannot be made now", "export", e.ID, "attempt", e.Attempts, "error", err)
	if e.Attempts >= mostAttempts {
		e.State = Failed
		return errors.Join(s.cfg.Files.Remove(ctx, e.key()), s.cfg.Store.MoveExport(ctx, e, s.cfg.Clock.Now()))
	}
	return s.cfg.Store.MoveExport(ctx, e, s.cfg.Clock.Now().Add(time.Duration(e.Attempts)*pauseFirst))
}

// removeOrphan removes the bytes of an export that has no row any more.
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
