package requests

import (
	"net/http"
	"strings"

	"vitae.internal/gateway/internal/console/plot"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// missingScope explains that a request was rejected because its key or token lacks a scope.
type missingScope struct {
	// Needs is the scope that the route requires. Has lists the scopes of the key or, for a token,
	// the scopes that the app may request from people. It is empty if they are unknown.
	Needs string
	Has   []string
}

// missingScopeOf returns nil if no scope was missing, or if the .proto files do not contain the
// route.
func (h handlers) missingScopeOf(e *authv1.RequestEntry, has []string) *missingScope {
	method := e.GetMethod()
	if method == http.MethodHead {
		method = http.MethodGet
	}
	needs, code := h.scopes[method+" "+e.GetRoute()], e.GetErrorCode()
	if needs == "" || code != "API_KEY_INSUFFICIENT_SCOPE" && code != "OAUTH_INSUFFICIENT_SCOPE" {
		return nil
	}
	return &missingScope{Needs: needs, Has: has}
}

// limitNames describes the limits that can reject requests (behaviour: usage#refusals).
var limitNames = map[string]string{
	"minute": "the account's minute", "day": "the account's day",
	"api_key_burst": "bursts of the app's keys", "api_key_sustained": "the lasting rate of the app's keys",
	"user_token_burst": "bursts of the connection", "user_token_sustained": "the lasting rate of the connection",
	"partner_hour": "the app's hour at the older interface",
}

// limitOf describes a limit with its current value. It returns "" if limit is "".
func (h handlers) limitOf(limit string, plan *authv1.Plan) string {
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
	for _, s := range h.Limits.Surfaces() {
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

// leftOf formats the number of remaining requests, for example as "12 of 300". It returns "" if
// left is unknown. It omits the limit if the plan has been reduced since the request.
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
