package job

import (
	"context"
	"errors"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/id"
	"vitae.internal/services/partnercatalog/internal/company"
	"vitae.internal/services/partnercatalog/internal/validate"
)

// ErrNotFound is a job that is not there. A job of a company that the app does
// not manage is company.ErrNotManaged.
var ErrNotFound = errs.New(errs.NotFound, "JOB_NOT_FOUND", "There is no job with this id.")

// Store keeps jobs. Every method is atomic: it does all or nothing. Those that
// take an app fail with company.ErrNotManaged for a company or a job that the app
// does not manage; a job that is not there is ErrNotFound.
type Store interface {
	// CreateJob adds j to its company and pins key, if there is one, to it. When the
	// key is pinned already it adds nothing and gives the job that it is pinned to;
	// while another call is about to pin it, it waits for that call's outcome.
	CreateJob(ctx context.Context, appID string, j Job, key Key) (Created, error)
	// PinnedJob gives the job that key is pinned to, nil if there is none.
	PinnedJob(ctx context.Context, appID, companyID string, key Key) (*Job, error)
	// Job gives a job.
	Job(ctx context.Context, appID, jobID string) (Job, error)
	// Posting gives a job to callers that act for no app.
	Posting(ctx context.Context, jobID string) (Posting, error)
	// Jobs gives a page of a company's jobs, newest first.
	Jobs(ctx context.Context, q Query) (Page, error)
	// EditJob and MoveJob give a job to change, and keep what change made of it, or
	// nothing when it fails. Changes of one job happen one after the other. EditJob
	// keeps the sections, MoveJob the status.
	EditJob(ctx context.Context, appID, jobID string, change func(*Job) error) (Job, error)
	MoveJob(ctx context.Context, appID, jobID string, change func(*Job) error) (Job, error)
	// RecordApplications raises the counts of jobs; unknown jobs are passed over.
	RecordApplications(ctx context.Context, counts map[string]int32) error
}

// Created is what a create gave.
type Created struct {
	Job Job
	// Replayed says that an earlier call with the same key made the job.
	Replayed bool
}

// Posting is a job with the app that manages its company.
type Posting struct {
	Job   Job
	AppID string
}

// New is a job to create.
type New struct {
	AppID     string
	CompanyID string
	Key       Key
	// SaveAs is "draft", "live", or empty for a draft.
	SaveAs string
	Input  Input
}

// The ways to save a new job.
const (
	asDraft = "draft"
	asLive  = "live"
)

// SaveAs has the words of New.SaveAs.
var SaveAs = []string{asDraft, asLive}

// Service is the use cases of jobs.
type Service struct {
	store Store
	clock clock.Clock
}

// NewService makes the use cases on a store.
func NewService(store Store, clk clock.Clock) (*Service, error) {
	if store == nil || clk == nil {
		return nil, errors.New("job: a store and a clock are required")
	}
	return &Service{store: store, clock: clk}, nil
}

// Create adds a job, once per key. Errors: the shape; company.ErrNotManaged; the publish
// contract, for a job that is to be live.
func (s *Service) Create(ctx context.Context, n New) (Created, error) {
	j, err := s.shaped(n)
	if err != nil {
		return Created{}, err
	}
	if !validate.IsStorable(n.CompanyID) {
		return Created{}, company.ErrNotManaged
	}
	if broken := j.begin(n.SaveAs == asLive, s.clock.Now()); broken != nil {
		return s.replayOr(ctx, n, broken)
	}
	return s.store.CreateJob(ctx, n.AppID, j, n.Key)
}

// CheckCreate makes the checks of Create that need no look-up, the publish
// contract among them. Errors: the shape; the publish contract.
func (s *Service) CheckCreate(n New) error {
	j, err := s.shaped(n)
	if err != nil {
		return err
	}
	return j.begin(n.SaveAs == asLive, s.clock.Now())
}

// shaped is the job of a request that keeps the shape.
func (s *Service) shaped(n New) (Job, error) {
	f := newFaults(errs.Invalid)
	maybeOneOf(f, "save_as", n.SaveAs, SaveAs)
	if err := f.Err(); err != nil {
		return Job{}, err
	}
	in, sent := n.Input.tidied(), n.Input.sent()
	if err := in.checkShape(sent); err != nil {
		return Job{}, err
	}
	j := Job{ID: id.New("job"), CompanyID: n.CompanyID}
	j.replace(in, sent)
	return j, nil
}

// replayOr answers an attempt that is refused: its key may stand for a job
// already, and then that is the answer.
func (s *Service) replayOr(ctx context.Context, n New, refusal error) (Created, error) {
	pinned, err := s.store.PinnedJob(ctx, n.AppID, n.CompanyID, n.Key)
	if err != nil {
		return Created{}, err
	}
	if pinned == nil {
		return Created{}, refusal
	}
	return Created{Job: *pinned, Replayed: true}, nil
}

// Job gives a job. Errors: ErrNotFound, company.ErrNotManaged.
func (s *Service) Job(ctx context.Context, appID, jobID string) (Job, error) {
	if !validate.IsStorable(jobID) {
		return Job{}, ErrNotFound
	}
	return s.store.Job(ctx, appID, jobID)
}

// Posting gives a job to callers that act for no app. Errors: ErrNotFound.
func (s *Service) Posting(ctx context.Context, jobID string) (Posting, error) {
	if !validate.IsStorable(jobID) {
		return Posting{}, ErrNotFound
	}
	return s.store.Posting(ctx, jobID)
}

// RecordApplications raises the counts of jobs to those given; a lower one
// changes nothing.
func (s *Service) RecordApplications(ctx context.Context, counts map[string]int32) error {
	known := map[string]int32{}
	for jobID, count := range counts {
		if validate.IsStorable(jobID) {
			known[jobID] = count
		}
	}
	return s.store.RecordApplications(ctx, known)
}
