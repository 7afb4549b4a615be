package connection

import (
	"slices"
	"time"

	"vitae.internal/pkg/id"
	"vitae.internal/services/auth/internal/client"
	"vitae.internal/services/auth/internal/developer"
	"vitae.internal/services/auth/internal/scope"
)

// Connection is one person's consent to one app.
type Connection struct {
	ID  string
	App developer.App
	// Publisher is the app's account, as people see it. Only lists have it.
	Publisher client.Publisher
	PersonID  string
	// Granted scopes, and Scopes in force, which lack those of the CV while sharing is
	// off.
	Granted, Scopes scope.Set
	// Sharing is true while the person shares the CV. It means nothing unless cv:read is
	// granted.
	Sharing bool
	CvID    string
	// Withheld are granted scopes that the person has taken back. Those of the CV go by
	// Sharing.
	Withheld scope.Set
	// Declined are scopes that the person was offered at the last consent and did not grant.
	Declined   scope.Set
	SharePhoto bool
	// PhotoWithheld is true if the photo was granted and taken back.
	PhotoWithheld bool
	// PausedAt is when the person paused the connection; nil if it is not paused.
	PausedAt *time.Time
	// EndsAt is when access ends by itself; nil if the person has set no end.
	EndsAt *time.Time
	// Legacy is true for a consent of the legacy interface. It grants the profile as a
	// whole: there is no CV to choose and no scope to take back.
	Legacy    bool
	CreatedAt time.Time
}

// CvGranted reports whether the person granted cv:read at all.
func (c Connection) CvGranted() bool { return c.Granted.Has(scope.CVRead) }

// PhotoGranted reports whether the person granted the photo at all.
func (c Connection) PhotoGranted() bool { return c.SharePhoto || c.PhotoWithheld }

// Allows reports whether the person has decided on every one of the scopes and has not paused
// the app, so that coming back asks for nothing new. A scope that was taken back or declined
// counts: it stays so. At least one of the scopes must be in force: a token without any is refused.
func (c Connection) Allows(requested scope.Set) bool {
	return c.ID != "" && c.PausedAt == nil && requested.Within(slices.Concat(c.Granted, c.Declined)) && len(requested.And(c.Scopes)) > 0
}

// SameConsent reports whether session records that were made under the consent before
// are still right under c.
func (c Connection) SameConsent(before Connection) bool {
	return before.ID == c.ID && slices.Equal(before.Scopes, c.Scopes) &&
		before.CvID == c.CvID && before.SharePhoto == c.SharePhoto && sameMoment(before.EndsAt, c.EndsAt)
}

// SeesMoreThan reports whether the app sees something under c that it did not see under the
// consent before: a scope or the photo. Another CV is not more.
func (c Connection) SeesMoreThan(before Connection) bool {
	return !c.Scopes.Within(before.Scopes) || c.SharePhoto && !before.SharePhoto
}

func sameMoment(a, b *time.Time) bool {
	return a == nil && b == nil || a != nil && b != nil && a.Equal(*b)
}

// withhold takes a granted scope back, or gives it back.
func (c Connection) withhold(name string, shared bool) Connection {
	c.Withheld = slices.DeleteFunc(slices.Clone(c.Withheld), func(s string) bool { return s == name })
	if !shared {
		c.Withheld = append(c.Withheld, name)
	}
	return c
}

// withPhoto takes the photo back, or gives it back, if it was granted.
func (c Connection) withPhoto(shared bool) Connection {
	if c.PhotoGranted() {
		c.SharePhoto, c.PhotoWithheld = shared, !shared
	}
	return c
}

// MasterCV is the id of the profile-backed main CV.
const MasterCV = "master"

// ValidCvID reports whether s can be the id of a CV. Only the candidate service knows
// whether the person has such a CV.
func ValidCvID(s string) bool { return s == MasterCV || id.Valid("cv", s) }
