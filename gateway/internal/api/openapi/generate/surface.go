package generate

import (
	"fmt"

	"vitae.internal/gateway/internal/admission/limits"
	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/api/openapi/model"
)

// surface holds the properties that operations with the same kind of credential share.
type surface struct {
	// name is the prefix of the names of shared responses.
	name string
	// security returns the security requirement for a scope.
	security func(scope string) []model.Security
	// codes lists the error codes of every operation.
	codes []string
	// metered is true if responses have the headers that show the account's budget.
	metered bool
	// flat is true if errors have the format of RFC 6749 §5.2.
	flat bool
	// anyOrigin is true if web pages from any origin may call the operation.
	anyOrigin bool
	// sometimes lists headers that some error responses have.
	sometimes []header
	// challenge is the header of a 401. wantsScope is the header of a 403 for a missing scope.
	challenge, wantsScope header
	// messages holds example messages by code. They replace the examples of package answer.
	messages map[string]string
	limits   *model.Limits
}

// These are the names of the security schemes.
const (
	oauthScheme  = "userToken"
	keyScheme    = "apiKey"
	clientScheme = "client"
)

// always lists the codes of every operation (behaviour: errors#codes-of-every-endpoint).
var always = []string{"DEVELOPER_PLATFORM_DISABLED", "PAYLOAD_TOO_LARGE", "INTERNAL_ERROR", "SERVICE_UNAVAILABLE"}

func and(codes ...string) []string { return append(codes, always...) }

func accessToken(scope string) []model.Security { return []model.Security{{oauthScheme: {scope}}} }

// key returns the requirement for an API key. It ignores the scope: OpenAPI 3.1 would allow a scope
// here, but Spectral does not.
func key(string) []model.Security { return []model.Security{{keyScheme: {}}} }

func nothing(string) []model.Security { return []model.Security{} }

// clientOrBody returns two alternatives, HTTP Basic and no requirement, because client_id and
// client_secret may also be in the body, for which OpenAPI has no scheme.
func clientOrBody(string) []model.Security { return []model.Security{{clientScheme: {}}, {}} }

func tier(t limits.Tier, countedFor string) *model.Tier {
	return &model.Tier{Burst: t.Burst.String(), Sustained: t.Sustained.String(), CountedFor: countedFor}
}

// tooFast returns the message with which a tier rejects a request.
func tooFast(t limits.Tier) string {
	return fmt.Sprintf("Requests come too fast: at most %s and %s are taken here.", t.Burst, t.Sustained)
}

// message returns the example message of a code.
func (s surface) message(code string) string {
	if own, there := s.messages[code]; there {
		return own
	}
	text, _ := answer.CodeOf(code)
	return text.Message
}

// surfaces holds the surfaces of the REST API (internal/api/table.go).
type surfaces struct{ apiKey, userToken, link, photo, resume, flatForm, form, authorize, open surface }

func newSurfaces(t limits.Tiers) surfaces {
	// A suspended account may revoke tokens (behaviour: tokens#revocation), so only the flat forms return
	// DEVELOPER_ACCOUNT_SUSPENDED.
	forms := &model.Limits{Tier: tier(t.OAuth, "client with its secret, or public client and IP address, or IP address if no client is named")}
	form := surface{
		name: "Form", security: clientOrBody, sometimes: []header{pragma}, limits: forms, challenge: clientChallenge,
		messages: map[string]string{limits.CodeRate: tooFast(t.OAuth)},
		codes:    and("OAUTH_INVALID_REQUEST", "OAUTH_INVALID_CLIENT", "RATE_LIMIT_EXCEEDED"),
	}
	flat := form
	flat.name, flat.flat = "FlatForm", true
	flat.codes = and("OAUTH_INVALID_REQUEST", "OAUTH_INVALID_CLIENT", "DEVELOPER_ACCOUNT_SUSPENDED", "RATE_LIMIT_EXCEEDED")
	return surfaces{
		apiKey: surface{
			name: "ApiKey", security: key, metered: true, challenge: keyChallenge, wantsScope: keyScope,
			messages: map[string]string{answer.CodeInvalid: "pageSize: must be a whole number from 1 to 100"},
			limits:   &model.Limits{AccountBudget: true, Tier: tier(t.APIKey, "app")},
			codes: and(answer.CodeInvalid, "API_KEY_INVALID", "API_KEY_INSUFFICIENT_SCOPE", "DEVELOPER_ACCOUNT_SUSPENDED",
				"RATE_LIMIT_EXCEEDED", "QUOTA_EXCEEDED"),
		},
		userToken: surface{
			name: "UserToken", security: accessToken, metered: true, anyOrigin: true, challenge: tokenChallenge, wantsScope: tokenScope,
			limits: &model.Limits{AccountBudget: true, Tier: tier(t.UserToken, "connection")},
			codes: and(answer.CodeInvalid, "OAUTH_INVALID_TOKEN", "OAUTH_INSUFFICIENT_SCOPE", "CONNECTION_NOT_FOUND",
				"DEVELOPER_ACCOUNT_SUSPENDED", "RATE_LIMIT_EXCEEDED", "QUOTA_EXCEEDED"),
		},
		link: surface{
			name: "Link", security: nothing, sometimes: []header{noIndex}, limits: &model.Limits{Tier: tier(t.CVLink, "IP address")},
			messages: map[string]string{limits.CodeRate: tooFast(t.CVLink)},
			codes:    and(answer.CodeInvalid, "CV_LINK_NOT_FOUND", "NOT_FOUND", "DEVELOPER_ACCOUNT_SUSPENDED", "RATE_LIMIT_EXCEEDED"),
		},
		photo: surface{
			name: "Photo", security: nothing, anyOrigin: true, sometimes: []header{noIndex}, limits: &model.Limits{Tier: tier(t.Photo, "IP address")},
			messages: map[string]string{limits.CodeRate: tooFast(t.Photo)},
			codes:    and("PHOTO_NOT_FOUND", "NOT_FOUND", "RATE_LIMIT_EXCEEDED"),
		},
		resume: surface{
			name: "Resume", security: nothing, sometimes: []header{noIndex}, limits: &model.Limits{Tier: tier(t.Resume, "IP address")},
			messages: map[string]string{"NOT_FOUND": "This address does not exist or is no longer valid.", limits.CodeRate: tooFast(t.Resume)},
			codes:    and("NOT_FOUND", "RATE_LIMIT_EXCEEDED"),
		},
		form:     form,
		flatForm: flat,
		authorize: surface{
			name: "Authorize", security: nothing, sometimes: []header{pragma}, challenge: browserChallenge, limits: &model.Limits{Tier: tier(t.Authorize, "IP address")},
			messages: map[string]string{
				"OAUTH_INVALID_REQUEST": "The parameter redirect_uri is missing.",
				"OAUTH_INVALID_CLIENT":  "The client_id is unknown.",
				limits.CodeRate:         tooFast(t.Authorize),
			},
			codes: and("OAUTH_INVALID_REQUEST", "OAUTH_INVALID_CLIENT", "DEVELOPER_ACCOUNT_SUSPENDED", "RATE_LIMIT_EXCEEDED"),
		},
		open: surface{name: "Open", security: nothing, codes: always},
	}
}
