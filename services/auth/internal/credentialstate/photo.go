package credentialstate

import (
	"context"

	"vitae.internal/pkg/fault"
)

// Photo is what the address of a photo opens: the person whose photo it is, and the app
// that the person shows it to.
type Photo struct{ AccountID, AppID, PersonID string }

// PhotoAddress reads from Postgres what an address of a photo opens now. There is no
// session record of it, so nothing has to be deleted when it dies
// (behaviour: photos#when-an-address-dies). Errors: ErrNoPhoto, Unavailable.
func (s *Service) PhotoAddress(ctx context.Context, connectionID string, version int32) (Photo, error) {
	if !fault.IsStorable(connectionID) {
		return Photo{}, ErrNoPhoto
	}
	return s.store.PhotoAddress(ctx, connectionID, version, s.clock.Now())
}
