package connection

import (
	"slices"
	"time"

	"vitae.internal/pkg/id"
	"vitae.internal/services/auth/internal/oauth/client"
	"vitae.internal/services/auth/internal/oauth/scope"
	"vitae.internal/services/auth/internal/platform/app"
)

// Connection is a person's consent to share data with an app.
type Connection struct {
	ID  string
	App app.App
	// Publisher describes the app's developer account, as shown to people. It is set only in lists.
	Publisher client.Publisher
	PersonID  string
	// Granted are the scopes that the person granted. Scopes are the scopes in force, which exclude the CV scopes
	// while sharing is off.
	Granted, Scopes scope.Set
	// Sharing reports whether the person shares the CV. It has no meaning unless cv:read is
	// granted.
	Sharing bool
	CvID    string
	// Withheld are the granted scopes that the person has withdrawn. The CV scopes depend on
	// Sharing instead.
	Withheld scope.Set
	// Declined are the scopes that the person was offered but didn't grant in the most recent consent.
	Declined   scope.Set
	SharePhoto bool
	// PhotoWithheld reports whether the person granted the photo and later withdrew it.
	PhotoWithheld bool
	// PausedAt is when the person paused the connection, or nil if it isn't paused.
	PausedAt *time.Time
	// EndsAt is when access ends automatically, or nil if the person has set no end date.
	EndsAt *time.Time
	// Legacy is true for a consent in the legacy interface. Such a consent grants the profile as a whole: there is
	// no CV to choose and no scope to withdraw.
	Legacy    bool
	CreatedAt time.Time
}

// CvGranted reports whether the person has granted cv:read, even if it is not in force.
func (c Connection) CvGranted() bool { return c.Granted.Has(scope.CVRead) }

// PhotoGranted reports whether the person has granted the photo, even if it has been withdrawn.
func (c Connection) PhotoGranted() bool { return c.SharePhoto || c.PhotoWithheld }

// Allows reports whether the person has already decided on every requested scope and hasn't paused
// the app, so that a repeated authorization needs no consent. Withdrawn and declined scopes count
// as decided. At least one requested scope must be in force, because a token needs one.
func (c Connection) Allows(requested scope.Set) bool {
	return c.ID != "" && c.PausedAt == nil && requested.Within(slices.Concat(c.Granted, c.Declined)) && len(requested.And(c.Scopes)) > 0
}

// SameConsent reports whether session records created under the previous consent are still valid
// under c.
func (c Connection) SameConsent(before Connection) bool {
	return before.ID == c.ID && slices.Equal(before.Scopes, c.Scopes) &&
		before.CvID == c.CvID && before.SharePhoto == c.SharePhoto && sameMoment(before.EndsAt, c.EndsAt)
}

// SeesMoreThan reports whether the app sees a scope or the photo under c that it didn't see under the previous
// consent. Seeing a different CV doesn't count.
func (c Connection) SeesMoreThan(before Connection) bool {
	return !c.Scopes.Within(before.Scopes) || c.SharePhoto && !before.SharePhoto
}

func sameMoment(a, b *time.Time) bool {
	return a == nil && b == nil || a != nil && b != nil && a.Equal(*b)
}

// withhold withdraws a granted scope, or restores it.
func (c Connection) withhold(name string, shared bool) Connection {
	c.Withheld = slices.DeleteFunc(slices.Clone(c.Withheld), func(s string) bool { return s == name })
	if !shared {
		c.Withheld = append(c.Withheld, name)
	}
	return c
}

// withPhoto withdraws or restores the photo if it was granted.
func (c Connection) withPhoto(shared bool) Connection {
	if c.PhotoGranted() {
		c.SharePhoto, c.PhotoWithheld = shared, !shared
	}
	return c
}

// MasterCV is the id of the main CV, which is generated from the profile.
const MasterCV = "master"

// ValidCvID reports whether s has the form of a CV id. Only the candidate service knows whether the
// CV exists.
func ValidCvID(s string) bool { return s == MasterCV || id.Valid("cv", s) }
