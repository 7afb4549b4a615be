package deletion

import (
	"context"
	"fmt"
	"time"

	"vitae.internal/pkg/background"
	"vitae.internal/pkg/errs"
)

const (
	// every is the interval at which the job looks for deletions whose next step is due.
	every = 10 * time.Second
	batch = 10
	// within limits a single step. leaseFor is longer than a batch can take, and is also the time after which a
	// failed step is retried.
	within   = time.Minute
	leaseFor = (batch + 1) * within
	// settle is the time between the first two steps and their repetition. It is longer than any call, upload or
	// export that may have been in progress.
	settle = 15 * time.Minute
)

// The steps of a deletion. Each constant is the number of steps that precede the step.
const (
	byAuth = iota
	byCandidate
	byCandidateAgain
	byAuthAgain
)

// Job returns the job that deletes accounts. Every replica runs it.
func (s *Service) Job() background.Job {
	return background.Job{Every: every, Warning: "cannot delete an account; trying again in the next round", Round: s.round}
}

func (s *Service) round(ctx context.Context) error {
	return background.Each(func() ([]Due, error) {
		now := s.cfg.Clock.Now()
		return s.cfg.Store.LeaseDeletions(ctx, now, now.Add(leaseFor), batch, byAuth, byAuthAgain)
	}, func(d Due) error { return s.erase(ctx, d) })
}

// LeaseElsewhere leases the deletions whose next step must be performed by the candidate service.
func (s *Service) LeaseElsewhere(ctx context.Context) ([]Due, error) {
	now := s.cfg.Clock.Now()
	return s.cfg.Store.LeaseDeletions(ctx, now, now.Add(leaseFor), batch, byCandidate, byCandidateAgain)
}

// FinishElsewhere completes a step performed by the candidate service. It changes nothing if that step has already
// been completed.
func (s *Service) FinishElsewhere(ctx context.Context, d Due) error {
	again := s.cfg.Clock.Now()
	switch d.Step {
	case byCandidate:
		again = again.Add(settle)
	case byCandidateAgain:
	default:
		return nil
	}
	return s.cfg.Store.FinishStep(ctx, d, again)
}

// erase deletes all data that the auth service stores about a person. It revokes credentials first, so that no app
// or browser sees errors caused by missing data.
func (s *Service) erase(ctx context.Context, d Due) error {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	for _, step := range []struct {
		name string
		do   func(context.Context, string) error
	}{
		{"end its sessions", s.cfg.Store.CloseSessions},
		{"end its connections", s.endConnections},
		{"delete what auth holds", s.cfg.Store.ErasePerson},
		{"make the events of the audit log nobody's", s.cfg.Store.EraseEvents},
	} {
		if err := step.do(ctx, d.PersonID); err != nil {
			return fmt.Errorf("deletion: %s: %w", step.name, err)
		}
	}
	if d.Step == byAuth {
		return s.cfg.Store.FinishStep(ctx, d, s.cfg.Clock.Now())
	}
	return s.cfg.Store.DropDeletion(ctx, d.PersonID)
}

// endConnections ends every connection of a person, so that no gateway replica accepts their credentials.
func (s *Service) endConnections(ctx context.Context, personID string) error {
	ids, err := s.cfg.Store.LiveConnections(ctx, personID)
	if err != nil {
		return err
	}
	for _, id := range ids {
		entry, err := s.cfg.Connections.EndConnection(ctx, personID, id, s.cfg.Clock.Now())
		if err != nil && errs.KindOf(err) != errs.NotFound { // it has been ended along with its app's other connection
			return err
		}
		if err := s.cfg.Revocations.Publish(ctx, entry); err != nil {
			return err
		}
	}
	return nil
}
