package limits

import (
	"errors"
)

// Surface describes a tier for developers (behaviour: limits#surface-tiers).
type Surface struct {
	// Name and CountedFor are display strings. CountedFor describes what is counted separately,
	// such as each app.
	Name, CountedFor string
	Tier             Tier
	// Limit is the name of the surface in the request log, without the suffix of the rate. It is empty if the
	// limit is checked before the account is known, because no account's log then contains its rejections.
	Limit string
}

// Surfaces returns the tiers in display order. It omits tiers without a limit.
func (t Tiers) Surfaces() (shown []Surface) {
	for _, s := range []Surface{
		{"/v1 with an API key", "the app, all its keys together", t.APIKey, SurfaceAPIKey},
		{"/v1/me with an access token", "the connection", t.UserToken, SurfaceUserToken},
		{"/oauth/token, /oauth/introspect, /oauth/revoke", "the client", t.OAuth, ""},
		{"/oauth/authorize", "the IP address", t.Authorize, ""},
		{"/v1/cv-links/{token}", "the IP address", t.CVLink, ""},
		{"/v1/photos/{token}", "the IP address", t.Photo, ""},
		{"/resumes", "the IP address", t.Resume, ""},
	} {
		if !s.Tier.off() {
			shown = append(shown, s)
		}
	}
	return shown
}

// Names returns the names of the tier's rates in the request log, or nil if it is not logged.
func (s Surface) Names() []string {
	if s.Limit == "" {
		return nil
	}
	return []string{s.Limit + burstSuffix, s.Limit + sustainedSuffix}
}

// These are the names of limits in the request log (behaviour: usage#refusals). The name of a tier's rate is
// the name of its surface with one of the suffixes.
const (
	RefusedByMinute  = "minute"
	RefusedByDay     = "day"
	RefusedByPartner = "partner_hour"

	SurfaceAPIKey    = "api_key"
	SurfaceUserToken = "user_token"

	burstSuffix     = "_burst"
	sustainedSuffix = "_sustained"
)

// RefusedBy returns the name of the limit that rejected the request, or "" if it was allowed. surface is the
// name of the tier's surface.
func (d Decision) RefusedBy(surface string) string {
	switch d.Outcome {
	case outcomeMinute:
		return RefusedByMinute
	case outcomeDay:
		return RefusedByDay
	case outcomeTier:
		if tier, ok := errors.AsType[*TierRefusal](d.Refusal); ok && tier.Sustained {
			return surface + sustainedSuffix
		}
		return surface + burstSuffix
	default:
		return ""
	}
}
