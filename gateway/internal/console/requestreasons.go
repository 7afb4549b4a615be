package console

import (
	"net/http"
	"strings"

	"vitae.internal/gateway/internal/console/plot"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// missingScope explains the refusal of a request whose key or token lacks a scope.
type missingScope struct {
	// Needs is the scope of the route. Has are those of the key, or those that the app may ask
	// people for; empty if nothing is known of them.
	Needs string
	Has   []string
}

// scopeCodes are the codes of answers to requests that lack a scope.
var scopeCodes = map[string]bool{"API_KEY_INSUFFICIENT_SCOPE": true, "OAUTH_INSUFFICIENT_SCOPE": true}

// missingScopeOf explains a request, nil if it lacked no scope or the contract does not have
// its route.
func (c *Console) missingScopeOf(e *authv1.RequestEntry, has []string) *missingScope {
	method := e.GetMethod()
	if method == http.MethodHead { // served as GET is
		method = http.MethodGet
	}
	needs := c.routeScopes[method+" "+e.GetRoute()]
	if needs == "" || !scopeCodes[e.GetErrorCode()] {
		return nil
	}
	return &missingScope{Needs: needs, Has: has}
}

// limitNames say which limit refused a request (behaviour: usage#refusals).
var limitNames = map[string]string{
	"minute": "the account's minute", "day": "the account's day",
	"api_key_burst": "bursts of the app's keys", "api_key_sustained": "the lasting rate of the app's keys",
	"user_token_burst": "bursts of the connection", "user_token_sustained": "the lasting rate of the connection",
	"partner_hour": "the app's hour at the older interface",
}

// limitOf says in words which limit refused a request, and its figures as they are now. It
// is empty for none.
func (c *Console) limitOf(limit string, plan *authv1.Plan) string {
	name, known := limitNames[limit]
	if !known {
		return limit
	}
	switch {
	case limit == "minute" && plan.GetPerMinute() > 0:
		return name + ": " + plot.Grouped(int64(plan.GetPerMinute())) + " requests"
	case limit == "day" && plan.GetPerDay() > 0:
		return name + ": " + plot.Grouped(int64(plan.GetPerDay())) + " requests"
	}
	for _, s := range c.Limits.Surfaces() {
		for _, of := range s.Limits {
			switch {
			case of != limit:
			case strings.HasSuffix(limit, "_burst"):
				return name + ": " + s.Burst.String()
			default:
				return name + ": " + s.Sustained.String()
			}
		}
	}
	return name
}

// leftOf writes what was left of a limit, for example "12 of 300". It is empty if nothing is
// known. A plan that has become smaller since is left out.
func leftOf(left *int32, limit int32) string {
	switch {
	case left == nil:
		return ""
	case *left > limit:
		return plot.Grouped(int64(*left))
	default:
		return plot.Grouped(int64(*left)) + " of " + plot.Grouped(int64(limit))
	}
}
