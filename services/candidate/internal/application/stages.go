package application

import (
	"context"

	"vitae.internal/pkg/id"
)

// Advance moves an application forward to a later stage. It returns APPLICATION_NOT_FOUND or
// APPLICATION_TRANSITION_INVALID.
func (s *Service) Advance(ctx context.Context, applicationID string, to Status) (Row, error) {
	return s.move(ctx, applicationID, to)
}

// Reject moves an application to Rejected. It returns the same errors as Advance.
func (s *Service) Reject(ctx context.Context, applicationID string) (Row, error) {
	return s.move(ctx, applicationID, Rejected)
}

// Withdraw moves an application to Withdrawn on behalf of the applicant. It returns the same errors
// as Advance.
func (s *Service) Withdraw(ctx context.Context, applicationID string) (Row, error) {
	return s.move(ctx, applicationID, Withdrawn)
}

func (s *Service) move(ctx context.Context, applicationID string, to Status) (Row, error) {
	if !id.Valid(idPrefix, applicationID) {
		return Row{}, ErrApplicationNotFound
	}
	return s.cfg.Store.Move(ctx, applicationID, to, s.cfg.Clock.Now(), func(from Status) error {
		if !from.CanBecome(to) {
			return errTransition(from, to)
		}
		return nil
	})
}
