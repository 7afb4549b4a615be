package connection

import (
	"slices"
	"time"

	"vitae.internal/pkg/id"
	"vitae.internal/services/auth/internal/developer"
	"vitae.internal/services/auth/internal/scope"
)

// Connection is one person's consent to one app.
type Connection struct {
	ID       string
	App      developer.App
	PersonID string
	// Granted scopes, and Scopes in force, which lack those of the CV while sharing is
	// off.
	Granted, Scopes scope.Set
	// Sharing is true while the person shares the CV. It means nothing unless cv:read is
	// granted.
	Sharing    bool
	CvID       string
	SharePhoto bool
	// Legacy is true for a consent of the legacy interface. It grants the profile as a
	// whole: there is no CV to choose and no sharing to turn off.
	Legacy    bool
	CreatedAt time.Time
}

// CvGranted reports whether the person granted cv:read at all.
func (c Connection) CvGranted() bool { return c.Granted.Has(scope.CVRead) }

// SameConsent reports whether session records that were made under the consent before
// are still right under c.
func (c Connection) SameConsent(before Connection) bool {
	return before.ID == c.ID && slices.Equal(before.Scopes, c.Scopes) &&
		before.CvID == c.CvID && before.SharePhoto == c.SharePhoto
}

// Change is a change to a connection; nil fields stay.
type Change struct {
	CvID    *string
	Sharing *bool
}

// apply gives the changed connection. Errors: ErrNoCV.
func (ch Change) apply(c Connection) (Connection, error) {
	if c.Legacy {
		return c, ErrNoCV
	}
	if (ch.CvID != nil || (ch.Sharing != nil && *ch.Sharing)) && !c.CvGranted() {
		return c, ErrNoCV
	}
	if ch.CvID != nil {
		c.CvID = *ch.CvID
	}
	if ch.Sharing != nil {
		c.Sharing = *ch.Sharing
	}
	return c, nil
}

// MasterCV is the id of the profile-backed main CV.
const MasterCV = "master"

// ValidCvID reports whether s can be the id of a CV. Only the candidate service knows
// whether the person has such a CV.
func ValidCvID(s string) bool { return s == MasterCV || id.Valid("cv", s) }
