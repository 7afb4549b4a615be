package connection

import (
	"time"

	"vitae.internal/pkg/fault"
	"vitae.internal/services/auth/internal/oauth/scope"
)

// longest is the maximum time until the date on which a person can let access end.
const longest = 10 * 366 * 24 * time.Hour

// Change is a change to a connection. If a field is nil, it stays unchanged.
type Change struct {
	CvID *string
	// Sharing turns CV sharing on or off.
	Sharing *bool
	// Email, Contact and Photo withdraw a permission (false) or restore it (true).
	Email, Contact, Photo *bool
	Paused                *bool
	// EndsAt is when access is to end automatically.
	EndsAt *time.Time
	// NoEnd removes the automatic end.
	NoEnd bool
}

// check checks the values of a change. Errors: Invalid, for cv_id or ends_at.
func (ch Change) check(now time.Time) error {
	switch {
	case ch.CvID != nil && !ValidCvID(*ch.CvID):
		return fault.Of(fault.CodeArgument, "cv_id", "is not a CV id")
	case ch.EndsAt != nil && ch.NoEnd:
		return fault.Of(fault.CodeArgument, "ends_at", "cannot be set and removed at once")
	case ch.EndsAt != nil && !ch.EndsAt.After(now):
		return fault.Of(fault.CodeArgument, "ends_at", "must be in the future")
	case ch.EndsAt != nil && ch.EndsAt.After(now.Add(longest)):
		return fault.Of(fault.CodeArgument, "ends_at", "must be within ten years")
	}
	return nil
}

// apply returns the changed connection. Errors: ErrNoCV, ErrNotGranted.
func (ch Change) apply(c Connection, now time.Time) (Connection, error) {
	if err := ch.allowed(c); err != nil {
		return c, err
	}
	if ch.CvID != nil {
		c.CvID = *ch.CvID
	}
	if ch.Sharing != nil {
		c.Sharing = *ch.Sharing
	}
	if ch.Email != nil {
		c = c.withhold(scope.Email, *ch.Email)
	}
	if ch.Contact != nil {
		c = c.withhold(scope.CVContact, *ch.Contact)
	}
	return ch.applyToAll(c, now), nil
}

// applyToAll applies the change to another connection with the same app, and returns the result. Withdrawing the
// photo, pausing and setting an end date affect the app through both interfaces.
func (ch Change) applyToAll(c Connection, now time.Time) Connection {
	if ch.Photo != nil {
		c = c.withPhoto(*ch.Photo)
	}
	switch {
	case ch.Paused == nil:
	case !*ch.Paused:
		c.PausedAt = nil
	case c.PausedAt == nil:
		c.PausedAt = &now
	}
	if ch.EndsAt != nil || ch.NoEnd {
		c.EndsAt = ch.EndsAt
	}
	return c
}

// allowed returns an error if the change turns a permission on or off that the person never granted. Only a consent
// can grant a permission.
func (ch Change) allowed(c Connection) error {
	ofCV := ch.CvID != nil || ch.Sharing != nil && (*ch.Sharing || c.Legacy)
	switch {
	case ofCV && (c.Legacy || !c.CvGranted()):
		return ErrNoCV
	case ch.Email != nil && !c.Granted.Has(scope.Email),
		ch.Contact != nil && !c.Granted.Has(scope.CVContact),
		ch.Photo != nil && !c.PhotoGranted():
		return ErrNotGranted
	}
	return nil
}
