package job

import (
	"context"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
	"vitae.internal/pkg/id"
	"vitae.internal/services/partnercatalog/internal/company"
)

// New is a request to create a job.
type New struct {
	AppID     string
	CompanyID string
	Key       Key
	// SaveAs is "draft" or "live". An empty value means "draft".
	SaveAs string
	Input  Input
}

// Values of New.SaveAs.
const (
	asDraft = "draft"
	asLive  = "live"
)

// SaveAs lists the values of New.SaveAs.
var SaveAs = []string{asDraft, asLive}

// Created is the result of Create.
type Created struct {
	Job Job
	// Replayed reports whether an earlier call with the same key created the job.
	Replayed bool
}

// Create adds a job, once per key. It returns all shape errors, followed by the contract violations
// if the job is to be live. If there are no shape errors, it checks that the app manages the
// company (company.ErrNotManaged) before it returns contract violations.
func (s *Service) Create(ctx context.Context, n New) (Created, error) {
	j, err := s.newJob(n)
	if err != nil && errs.KindOf(err) != errs.Precondition {
		return Created{}, err
	}
	if !fault.IsStorable(n.CompanyID) {
		return Created{}, company.ErrNotManaged
	}
	if err != nil {
		return s.replayOr(ctx, n, err)
	}
	return s.cfg.Store.CreateJob(ctx, n.AppID, j, n.Key)
}

// ValidateCreate performs the checks of Create that do not need the store. It returns all shape
// errors and contract violations.
func (s *Service) ValidateCreate(n New) error {
	_, err := s.newJob(n)
	return err
}

// newJob returns the new job for a request. If the request has shape errors, it returns
// INVALID_ARGUMENT with all of them, followed by the contract violations if the job is to be live.
// If there are only contract violations, it returns FAILED_PRECONDITION.
func (s *Service) newJob(n New) (Job, error) {
	f := newFaults()
	maybeOneOf(f, "save_as", n.SaveAs, SaveAs)
	in, sent := n.Input.tidied(), n.Input.sent()
	in.shape(f, sent)
	j := Job{ID: id.New("job"), CompanyID: n.CompanyID}
	j.replace(in, f.sound(sent))
	broken := j.begin(n.SaveAs == asLive, s.cfg.Clock.Now(), f.List)
	if f.Err() == nil {
		return j, broken
	}
	if err := f.Merge(broken); err != nil {
		return Job{}, err
	}
	return Job{}, f.Err()
}

// replayOr returns the job that an earlier call with the key of n created. If there is none, it
// returns fallback as the error. A repeated request returns the existing job even if its body is no
// longer valid (behaviour: jobs#repeated-creates).
func (s *Service) replayOr(ctx context.Context, n New, fallback error) (Created, error) {
	pinned, err := s.cfg.Store.PinnedJob(ctx, n.AppID, n.CompanyID, n.Key)
	if err != nil {
		return Created{}, err
	}
	if pinned == nil {
		return Created{}, fallback
	}
	return Created{Job: *pinned, Replayed: true}, nil
}
