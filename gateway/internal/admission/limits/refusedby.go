package limits

import "errors"

// Names of limits in the request log (behaviour: usage#refusals). The name of a tier's rate
// is that of its surface with one of the suffixes.
const (
	RefusedByMinute  = "minute"
	RefusedByDay     = "day"
	RefusedByPartner = "partner_hour"

	SurfaceAPIKey    = "api_key"
	SurfaceUserToken = "user_token"

	burstSuffix     = "_burst"
	sustainedSuffix = "_sustained"
)

// RefusedBy returns the name of the limit that refused; empty if none did. surface is the
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
