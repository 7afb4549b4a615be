package connection

import (
	"time"

	"vitae.internal/pkg/fault"
	"vitae.internal/services/auth/internal/scope"
)

// longest is how far away an end may be.
const longest = 10 * 366 * 24 * time.Hour

// Change is a change to a connection; nil fields stay.
type Change struct {
	CvID *string
	// Sharing of the CV.
	Sharing *bool
	// Email, Contact and Photo take a permission back, or give it back.
	Email, Contact, Photo *bool
	Paused                *bool
	// EndsAt is when access ends by itself.
	EndsAt *time.Time
	// NoEnd removes the end.
	NoEnd bool
}

// check finds what is wrong with a change whatever it changes. Errors: Invalid naming
// cv_id or ends_at.
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

// apply gives the changed connection. Errors: ErrNoCV, ErrNotGranted.
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

// applyToAll gives a connection with the changed app. The photo, a pause and an end
// concern an app however it is connected.
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

// allowed reports whether the person has granted what the change turns off or on: only a
// consent grants.
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
