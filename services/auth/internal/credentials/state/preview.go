package state

import (
	"context"

	"vitae.internal/pkg/fault"
)

// Preview returns the record that a token with all scopes of a person's connection would have. No such token needs
// to exist, and the record is not stored. Errors: ErrUnknown, Unavailable.
func (s *Service) Preview(ctx context.Context, personID, connectionID string) (Record, error) {
	if !fault.IsStorable(personID) || !fault.IsStorable(connectionID) {
		return Record{}, ErrUnknown
	}
	state, err := s.store.ReadConnection(ctx, personID, connectionID, s.clock.Now())
	if err != nil {
		return Record{}, err
	}
	kind := AccessToken
	if state.Legacy {
		kind = LegacyToken
	}
	return state.record(kind, s.plans)
}
