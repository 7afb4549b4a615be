package state

import (
	"context"

	"vitae.internal/pkg/fault"
)

// Photo is the target of a photo URL: the person in the photo, and the app with which it is shared.
type Photo struct{ AccountID, AppID, PersonID string }

// PhotoAddress reads the target of a photo URL from Postgres. Photo URLs have no session records, so nothing has to
// be deleted when one is revoked (behaviour: photos#when-an-address-dies). Errors: ErrNoPhoto, Unavailable.
func (s *Service) PhotoAddress(ctx context.Context, connectionID string, version int32) (Photo, error) {
	if !fault.IsStorable(connectionID) {
		return Photo{}, ErrNoPhoto
	}
	return s.store.PhotoAddress(ctx, connectionID, version, s.clock.Now())
}
