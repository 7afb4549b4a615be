package generate

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"

	"vitae.internal/gateway/internal/api/oauth"
)

// oauth adds the OAuth endpoints, which are not gRPC methods.
func (b *builder) oauth() error {
	b.schemas.add("RetryMeta", retryMeta())
	for _, step := range []func() error{b.discovery, b.authorize, b.token, b.introspect, b.revoke} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

func retryMeta() *Schema {
	var p Map[*Schema]
	least := 1.0
	p.Set("retryAfter", (&Schema{Type: Types{"integer"}, Minimum: &least}).described("Seconds to wait before the next attempt."))
	return object(p).described("The meta of a 429.")
}

func (b *builder) discovery() error {
	s := b.surfaces.open
	s.name, s.anyOrigin = "Discovery", true
	op := begin(tagOAuth, "getAuthorizationServer", "Get the discovery document",
		"Where the endpoints are and what they take (RFC 8414). The document is flat, not in the envelope.", s, "")
	seen := httptest.NewRecorder()
	oauth.Discovery(baseURL, appURL)(seen, nil)
	var example Map[any]
	if err := parse(seen.Body.Bytes(), &example); err != nil {
		return err
	}
	var p Map[*Schema]
	for _, key := range example.Keys() {
		value, _ := example.Get(key)
		p.Set(key, typeOf(value.(json.RawMessage)).described(discovered[key]))
	}
	schema := b.schemas.add("DiscoveryDocument", object(p).described("Metadata of the authorization server (RFC 8414 §2)."))
	r := Response{Description: "The discovery document.", Headers: b.headers(append(everywhere(), hour), nil)}
	r.Content.Set("application/json", MediaTypeBody{Schema: schema, Examples: named(op.OperationID, example)})
	op.succeed(http.StatusOK, r)
	return b.finish(http.MethodGet, "/.well-known/oauth-authorization-server", op, s, nil)
}

// typeOf returns the schema for a value of the discovery document.
func typeOf(raw json.RawMessage) *Schema {
	switch raw[0] {
	case '[':
		return &Schema{Type: Types{"array"}, Items: typed("string")}
	case 't', 'f':
		return typed("boolean")
	}
	return &Schema{Type: Types{"string"}, Format: "uri"}
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

func (b *builder) authorize() error {
	s := b.surfaces.authorize
	op := begin(tagOAuth, "authorize", "Start a sign-in", authorizeText, s, "")
	query := func(name, description string, required bool, schema *Schema, example any) {
		op.Parameters = append(op.Parameters, Parameter{Name: name, In: "query", Description: description, Required: required, Schema: schema, Example: example})
	}
	query("response_type", "Always `code`.", true, fixed("code"), "code")
	query("client_id", "Client id of the app.", true, clientID(), exampleClient)
	query("redirect_uri", "Where the browser comes back to: exactly one of the registered URIs.", true, &Schema{Type: Types{"string"}, Format: "uri", MaxLength: maxParameter}, exampleRedirect)
	query("scope", "Scopes, separated by spaces: `profile`, `email`, `cv:read`, `cv:contact`.", true, &Schema{Type: Types{"string"}, MaxLength: maxParameter}, "profile email cv:read")
	query("state", "Text of yours that comes back unchanged.", false, &Schema{Type: Types{"string"}, MaxLength: maxParameter}, "af0ifjsldkj")
	query("code_challenge", "BASE64URL(SHA256(code_verifier)) (RFC 7636 §4.2).", true, &Schema{Type: Types{"string"}, Pattern: "^[A-Za-z0-9_-]{43}$"}, exampleChallenge)
	query("code_challenge_method", "Always `S256`; `plain` is rejected.", true, fixed("S256"), "S256")
	query("prompt", "`consent` shows the whole consent page to a person who comes back. Without it, a person who has already allowed what is asked presses Continue. Other values are ignored.", false, &Schema{Type: Types{"string"}, MaxLength: maxParameter}, nil)

	where := location
	where.example = appURL + "/oauth/authorize?response_type=code&client_id=" + exampleClient
	op.succeed(http.StatusFound, Response{
		Description: "To the consent page, or back to the app with what is wrong with the request.",
		Headers:     b.headers(append(everywhere(), noStore, pragma, where), nil),
	})
	return b.finish(http.MethodGet, "/oauth/authorize", op, s, nil)
}

// maxParameter is the longest value of a parameter, in bytes.
const maxParameter = 4096

// Values that the examples of the OAuth endpoints share.
const (
	exampleClient    = "svc_ci_4dKpQ0wq8ZtXb1mH3nVr5sYc7uLa9eGf2jBxTo6RkWi0KKluE"
	exampleRedirect  = "https://jobs.example.ae/callback"
	exampleChallenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
	exampleVerifier  = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
	exampleCode      = "svc_ac_9sYc7uLa0eGf2jBxTo6RkWi3Mz4dKpQ1wq8ZtXb5mH23XiZ27"
	exampleAccess    = "svc_at_2jBxTo6RkWi3Mz4dKpQ1wq8ZtXb5mH2nVr9sYc7uLa03DXXrG"
	exampleRefresh   = "svc_rt_8ZtXb5mH2nVr9sYc7uLa0eGf2jBxTo6RkWi3Mz4dKpQ3AP9CB"
)

func clientID() *Schema { return &Schema{Type: Types{"string"}, MaxLength: maxParameter} }

func named(name string, value any) Examples {
	var e Examples
	e.Set(name, Example{Value: value})
	return e
}
