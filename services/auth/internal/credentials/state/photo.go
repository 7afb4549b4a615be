package state

import (
	"context"

	"vitae.internal/pkg/fault"
)

// Photo is the target of a photo address: the person in the photo, and the app that it is
// shared with.
type Photo struct{ AccountID, AppID, PersonID string }

// PhotoAddress reads the target of a photo address from Postgres. It has no session record,
// so nothing needs to be deleted when the address ends
// (behaviour: photos#when-an-address-dies). Errors: ErrNoPhoto, Unavailable.
func (s *Service) PhotoAddress(ctx context.Context, connectionID string, version int32) (Photo, error) {
	if !fault.IsStorable(connectionID) {
		return Photo{}, ErrNoPhoto
	}
	return s.store.PhotoAddress(ctx, connectionID, version, s.clock.Now())
}
