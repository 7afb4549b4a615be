package generate

import (
	"maps"
	"slices"

	"vitae.internal/gateway/internal/api/openapi/model"
	"vitae.internal/gateway/internal/chain"
	"vitae.internal/pkg/scope"
)

// header is a response header. component is its name in the document's components.
type header struct {
	component, name, description string
	schema                       *model.Schema
	example                      any
}

func fixed(value string) *model.Schema {
	return &model.Schema{Type: model.Types{"string"}, Const: value}
}

func number() *model.Schema {
	zero := 0.0
	return &model.Schema{Type: model.Types{"integer"}, Minimum: &zero}
}

var (
	requestID = header{"RequestId", "x-request-id", "Identifier of the request. Quote it when you ask for help.",
		&model.Schema{Type: model.Types{"string"}, Pattern: "^req_[0-9a-v]{26}$"}, "req_06gvr3vbk5ooj1p4h255nkmqek"}
	noStore     = header{"NoStore", "Cache-Control", "The response must not be stored.", fixed("no-store"), nil}
	revalidate  = header{"Revalidate", "Cache-Control", "The response is private, and must be revalidated before it is reused.", fixed("private, no-cache"), nil}
	private     = header{"PrivateNoStore", "Cache-Control", "The response must not be stored.", fixed("private, no-store"), nil}
	hour        = header{"PublicForAnHour", "Cache-Control", "The response may be stored for an hour.", fixed("public, max-age=3600"), nil}
	pragma      = header{"Pragma", "Pragma", "The response must not be stored, for HTTP/1.0 caches (RFC 6749 §5.1).", fixed("no-cache"), nil}
	byCaller    = header{"Vary", "Vary", "The response depends on the credential.", fixed("Authorization"), nil}
	entityTag   = header{"ETag", "ETag", "Entity tag of what the answer shows. Send it back as `If-None-Match`.", &model.Schema{Type: model.Types{"string"}, Pattern: `^"[^"]+"$`}, `"mZxJ2r0cH0p3o8q5Jm7cXK0S1yqk2m6vT4wE9bA1dUY"`}
	location    = header{"Location", "Location", "Where the browser goes.", &model.Schema{Type: model.Types{"string"}, Format: "uri"}, nil}
	retryAfter  = header{"RetryAfter", "Retry-After", "Seconds to wait before the next attempt.", number(), 12}
	inline      = header{"InlineDisposition", "Content-Disposition", "`inline`, with the name of the file (RFC 6266).", &model.Schema{Type: model.Types{"string"}, Pattern: "^inline; "}, `inline; filename="Layla Haddad.pdf"; filename*=UTF-8''Layla%20Haddad.pdf`}
	attachment  = header{"AttachmentDisposition", "Content-Disposition", "`attachment`, with the name under which the file was uploaded (RFC 6266).", &model.Schema{Type: model.Types{"string"}, Pattern: "^attachment; "}, `attachment; filename="resume.pdf"; filename*=UTF-8''resume.pdf`}
	noIndex     = header{"NoIndex", "X-Robots-Tag", "Search engines must not index the URL.", fixed("noindex"), nil}
	shortPublic = header{"PublicRevalidate", "Cache-Control", "The document may be stored for a minute, then must be revalidated.", fixed("public, max-age=60, must-revalidate"), nil}
)

// crossOrigin lists the headers of operations that web pages from any origin may call
// (behaviour: requests#calls-from-browsers).
var crossOrigin = []header{
	{"AnyOrigin", "Access-Control-Allow-Origin", "Pages of any origin may read the answer. They send no cookies.", fixed("*"), nil},
	{"ExposedHeaders", "Access-Control-Expose-Headers", "Headers that such a page may read.", fixed(chain.ExposedHeaders), nil},
}

// Challenges describe the required credential and, if one was sent, what is wrong with it.
var (
	keyChallenge     = bearerChallenge("KeyChallenge", "API key")
	tokenChallenge   = bearerChallenge("TokenChallenge", "access token")
	clientChallenge  = header{"ClientChallenge", "WWW-Authenticate", "Client authentication is wanted (RFC 6749 §5.2, RFC 7617).", fixed(`Basic realm="vitae"`), nil}
	browserChallenge = header{"BrowserChallenge", "WWW-Authenticate", "Not `Basic`, for which a browser would ask the person.", fixed(`Bearer realm="vitae"`), nil}
	keyScope         = scopeChallenge("jobs:write")
	tokenScope       = scopeChallenge(scope.CVRead)
)

func bearerChallenge(component, credential string) header {
	return header{component, "WWW-Authenticate", "The credential that is wanted, and what is wrong with the one that came, if one did (RFC 6750 §3).",
		&model.Schema{Type: model.Types{"string"}, Pattern: `^Bearer realm="vitae"(, error="invalid_token", error_description="[^"]+")?$`},
		`Bearer realm="vitae", error="invalid_token", error_description="The ` + credential + ` is unknown, expired or revoked."`}
}

// scopeChallenge returns a header that is not a component, because only some responses have it.
func scopeChallenge(scope string) header {
	return header{name: "WWW-Authenticate", description: "The scope that is wanted, if that is what is wrong (RFC 6750 §3).",
		schema:  &model.Schema{Type: model.Types{"string"}, Pattern: `^Bearer realm="vitae", error="insufficient_scope", scope="[^"]+"$`},
		example: `Bearer realm="vitae", error="insufficient_scope", scope="` + scope + `"`}
}

// budget lists the headers of an account's budget (behaviour: limits#budget-headers).
var budget = slices.Concat(budgetLeft, policies)

// budgetLeft lists the budget headers that are specific to Vitae.
var budgetLeft = []header{
	{"RateLimitLimit", "x-ratelimit-limit", "Requests that the account may make in the current minute.", number(), 300},
	{"RateLimitRemaining", "x-ratelimit-remaining", "Requests that are left in the current minute.", number(), 299},
	{"RateLimitReset", "x-ratelimit-reset", "When the minute ends, in seconds since 1970.", number(), 1787660460},
	{"QuotaLimit", "x-quota-limit", "Requests that the account may make in the current UTC day.", number(), 20000},
	{"QuotaRemaining", "x-quota-remaining", "Requests that are left today.", number(), 19984},
	{"QuotaReset", "x-quota-reset", "When the UTC day ends, in seconds since 1970.", number(), 1787702400},
}

// policies lists the headers of the IETF draft (behaviour: limits#tier-headers).
var policies = []header{
	{"RateLimitPolicy", "RateLimit-Policy", "Every limit of the route in the words of the IETF draft: `q` requests in a window of `w` seconds.", model.Typed("string"),
		`"minute";q=300;w=60, "day";q=20000;w=86400, "burst";q=20;w=1, "sustained";q=3000;w=60`},
	{"RateLimit", "RateLimit", "What is left in the words of the IETF draft: `r` requests for the next `t` seconds. On a 429 of a surface it names the rate that refused.",
		model.Typed("string"), `"minute";r=299;t=42, "day";r=19984;t=41982`},
}

// everywhere returns the headers of every response: the request id and the security headers.
func everywhere() []header {
	all := []header{requestID}
	set := chain.DataHeaders()
	for _, name := range slices.Sorted(maps.Keys(set)) {
		all = append(all, header{component: browserHeaders[name].component, name: name, description: browserHeaders[name].description, schema: fixed(set.Get(name))})
	}
	return all
}

var browserHeaders = map[string]struct{ component, description string }{
	"X-Content-Type-Options":  {"NoSniff", "Browsers must not guess the type."},
	"Referrer-Policy":         {"ReferrerPolicy", "Browsers must not send the URL to other sites."},
	"Content-Security-Policy": {"ContentSecurityPolicy", "Browsers must neither run nor frame the answer."},
}
