package generate

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"

	"vitae.internal/gateway/internal/api/oauth"
	"vitae.internal/gateway/internal/api/openapi/model"
)

// oauth returns the OAuth endpoints, which are not gRPC methods.
func (b *builder) oauth() []endpoint {
	least := 1.0
	b.schemas.add("RetryMeta", model.Object(model.MapOf[*model.Schema](
		"retryAfter", (&model.Schema{Type: model.Types{"integer"}, Minimum: &least}).Described("Seconds to wait before the next attempt."),
	)).Described("The meta of a 429."))
	return []endpoint{b.discovery(), authorize(b.surfaces.authorize), b.token(), b.introspect(), b.revoke()}
}

func (b *builder) discovery() endpoint {
	s := b.surfaces.open
	s.name, s.anyOrigin = "Discovery", true
	seen := httptest.NewRecorder()
	oauth.Discovery(baseURL, appURL)(seen, nil)
	example, err := parse(seen.Body.Bytes())
	if err != nil {
		panic(err) // cannot happen: the document is JSON
	}
	var p model.Map[*model.Schema]
	for _, key := range example.Keys() {
		value, _ := example.Get(key)
		p.Set(key, typeOf(value.(json.RawMessage)).Described(discovered[key]))
	}
	schema := b.schemas.add("DiscoveryDocument", model.Object(p).Described("Metadata of the authorization server (RFC 8414 §2)."))
	const id = "getAuthorizationServer"
	return endpoint{
		method: http.MethodGet, path: "/.well-known/oauth-authorization-server", surface: s, tag: tagOAuth, id: id, summary: "Get the discovery document",
		text:   "Where the endpoints are and what they take (RFC 8414). The document is flat, not in the envelope.",
		status: http.StatusOK, description: "The discovery document.", headers: []header{hour}, content: jsonContent(schema, named(id, example)),
	}
}

// typeOf returns the schema for a value of the discovery document.
func typeOf(raw json.RawMessage) *model.Schema {
	switch raw[0] {
	case '[':
		return &model.Schema{Type: model.Types{"array"}, Items: model.Typed("string")}
	case 't', 'f':
		return model.Typed("boolean")
	}
	return &model.Schema{Type: model.Types{"string"}, Format: "uri"}
}

// discovered describes the keys of the discovery document.
var discovered = map[string]string{
	"issuer":                                         "Identifier of the authorization server.",
	"authorization_endpoint":                         "Where the browser begins.",
	"token_endpoint":                                 "Where codes and refresh tokens become access tokens.",
	"revocation_endpoint":                            "Where tokens are revoked (RFC 7009).",
	"introspection_endpoint":                         "Where tokens are looked at (RFC 7662).",
	"userinfo_endpoint":                              "Who the person behind an access token is.",
	"service_documentation":                          "Guides for partners.",
	"scopes_supported":                               "Scopes that an app may ask for.",
	"response_types_supported":                       "Always the authorization code.",
	"grant_types_supported":                          "Grant types of the token endpoint.",
	"code_challenge_methods_supported":               "Methods of PKCE (RFC 7636).",
	"token_endpoint_auth_methods_supported":          "How clients authenticate.",
	"revocation_endpoint_auth_methods_supported":     "How clients authenticate to revoke.",
	"introspection_endpoint_auth_methods_supported":  "How clients authenticate to introspect.",
	"authorization_response_iss_parameter_supported": "Whether redirects back to the app carry `iss` (RFC 9207).",
}

const authorizeText = `Send the person's browser here to begin a sign-in. The answer is a redirect to the consent page, with all parameters as they came. After
consent the browser comes back to ` + "`redirect_uri`" + ` with ` + "`code`" + `, ` + "`state`" + ` and ` + "`iss`" + ` (RFC 9207).

A request with an unknown app or redirect URI is answered with an error, which browsers see on a page. Any other
fault is answered by a redirect back to ` + "`redirect_uri`" + ` with ` + "`error`" + `,
` + "`error_description`" + `, ` + "`state`" + ` and ` + "`iss`" + ` (RFC 6749 §4.1.2.1). Where the publisher of the app is
not verified, a browser is redirected to a page that shows the fault and links back. A person who declines is sent back with ` + "`error=access_denied`" + `. PKCE is required of every client.`

func authorize(s surface) endpoint {
	where := location
	where.example = appURL + "/oauth/authorize?response_type=code&client_id=" + exampleClient
	e := endpoint{
		method: http.MethodGet, path: "/oauth/authorize", surface: s, tag: tagOAuth, id: "authorize", summary: "Start a sign-in", text: authorizeText,
		status: http.StatusFound, description: "To the consent page, or back to the app with what is wrong with the request.",
		headers: []header{noStore, pragma, where},
	}
	query := func(name, description string, required bool, schema *model.Schema, example any) {
		e.parameters = append(e.parameters, model.Parameter{Name: name, In: "query", Description: description, Required: required, Schema: schema, Example: example})
	}
	query("response_type", "Always `code`.", true, fixed("code"), "code")
	query("client_id", "Client id of the app.", true, bounded(), exampleClient)
	query("redirect_uri", "Where the browser comes back to: exactly one of the registered URIs.", true, &model.Schema{Type: model.Types{"string"}, Format: "uri", MaxLength: maxParameter}, exampleRedirect)
	query("scope", "Scopes, separated by spaces: `profile`, `email`, `cv:read`, `cv:contact`.", true, bounded(), "profile email cv:read")
	query("state", "Text of yours that comes back unchanged.", false, bounded(), "af0ifjsldkj")
	query("code_challenge", "BASE64URL(SHA256(code_verifier)) (RFC 7636 §4.2).", true, &model.Schema{Type: model.Types{"string"}, Pattern: "^[A-Za-z0-9_-]{43}$"}, exampleChallenge)
	query("code_challenge_method", "Always `S256`; `plain` is rejected.", true, fixed("S256"), "S256")
	query("prompt", "`consent` shows the whole consent page to a person who comes back. Without it, a person who has already allowed what is asked presses Continue. Other values are ignored.", false, bounded(), nil)
	return e
}

// maxParameter is the maximum length of a parameter value, in bytes.
const maxParameter = 4096

// The examples of the OAuth endpoints share these values.
const (
	exampleClient    = "svc_ci_4dKpQ0wq8ZtXb1mH3nVr5sYc7uLa9eGf2jBxTo6RkWi0KKluE"
	exampleRedirect  = "https://jobs.example.ae/callback"
	exampleChallenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
	exampleVerifier  = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
	exampleCode      = "svc_ac_9sYc7uLa0eGf2jBxTo6RkWi3Mz4dKpQ1wq8ZtXb5mH23XiZ27"
	exampleAccess    = "svc_at_2jBxTo6RkWi3Mz4dKpQ1wq8ZtXb5mH2nVr9sYc7uLa03DXXrG"
	exampleRefresh   = "svc_rt_8ZtXb5mH2nVr9sYc7uLa0eGf2jBxTo6RkWi3Mz4dKpQ3AP9CB"
)

// bounded returns the schema of a parameter for which only the length is limited.
func bounded() *model.Schema {
	return &model.Schema{Type: model.Types{"string"}, MaxLength: maxParameter}
}
