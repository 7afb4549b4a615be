package app

import (
	"context"

	"vitae.internal/pkg/backlog"
	"vitae.internal/pkg/periodic"
	"vitae.internal/services/auth/internal/deletion"
	"vitae.internal/services/auth/internal/grpcapi"
	"vitae.internal/services/auth/internal/persondata"
)

// personData builds the use cases of all data of a person.
func (p *parts) personData(api *grpcapi.Config) (err error) {
	if api.Deletions, err = deletion.NewService(deletion.Config{
		Store: p.store, Revocations: p.revocations, Post: p.post, Clock: p.clock,
	}); err != nil {
		return err
	}
	api.PersonData, err = persondata.NewService(persondata.Config{Store: p.store, Post: p.post, Clock: p.clock})
	return err
}

// deletionJobs builds the jobs that delete accounts.
func (p *parts) deletionJobs() ([]periodic.Job, error) {
	deleting, err := deletion.NewJob(deletion.JobConfig{
		Store: p.store, Elsewhere: p.candidate, Revocations: p.revocations, Clock: p.clock, Log: p.log,
	})
	if err != nil {
		return nil, err
	}
	measuring, err := backlog.NewJob(backlog.Outbox{Name: "person_deletions", Log: p.log, Measure: func(ctx context.Context) (backlog.Size, error) {
		return p.store.WaitingDeletions(ctx, p.clock.Now())
	}})
	return []periodic.Job{deleting, measuring}, err
}
