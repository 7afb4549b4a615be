package credentialstate

import (
	"context"

	"vitae.internal/pkg/fault"
)

// Preview gives the record that a token of a person's connection has, if the token holds
// all that is in force. There need be no such token, and no record is left. Errors:
// ErrUnknown, Unavailable.
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
