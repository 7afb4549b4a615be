package generate

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"

	"vitae.internal/gateway/internal/api/oauth"
)

// oauth adds the OAuth endpoints, which are no gRPC methods.
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
	least := 1.0
	wait := &Schema{Type: Types{"integer"}, Minimum: &least, Description: "Seconds to wait before the next attempt."}
	return object(properties("retryAfter", wait)).described("The meta of a 429.")
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

// maxParameter is the maximum length of a parameter in bytes.
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

func formParameter(description string) *Schema {
	return (&Schema{Type: Types{"string"}, MaxLength: maxParameter}).described(description)
}

const (
	aboutClientID     = "Client id; may be left out with HTTP Basic."
	aboutClientSecret = "Client secret of a confidential client, if it does not use HTTP Basic. A public client sends none."
)

func (b *builder) token() error {
	s := b.surfaces.flatForm
	s.name, s.anyOrigin = "Token", true
	s.messages = maps.Clone(s.messages)
	s.messages["OAUTH_INVALID_REQUEST"] = "The parameter code_verifier is missing."
	s.codes = slices.Concat(s.codes, []string{
		"OAUTH_INVALID_GRANT", "OAUTH_INVALID_SCOPE", "OAUTH_UNAUTHORIZED_CLIENT", "OAUTH_UNSUPPORTED_GRANT_TYPE",
	})
	op := begin(tagOAuth, "issueToken", "Exchange a code or refresh a token", `Redeems an authorization code, or rotates a refresh token. Errors are flat (RFC 6749 §5.2).

A code is single use: presented again by its client, it also ends the tokens that it gave. A refresh token is rotated on every use: presented
again, it ends its whole family. Both also end the durable CV links of the connection; reading the CV again gives a new one. What was answered
503 because it took too long has not happened, and can be repeated. The granted scope may be narrower than the requested one; the `+"`scope`"+` of the answer is authoritative.`, s, "")
	p := properties(
		"grant_type", (&Schema{Type: Types{"string"}, Enum: []string{"authorization_code", "refresh_token"}}).described("Kind of the grant."),
		"code", formParameter("The code; for `authorization_code`."),
		"redirect_uri", formParameter("The redirect URI that the code was asked for with; for `authorization_code`."),
		"code_verifier", formParameter("Verifier of PKCE; for `authorization_code`."),
		"refresh_token", formParameter("The refresh token; for `refresh_token`."),
		"scope", formParameter("On a refresh, scopes to which the access token is narrowed."),
		"client_id", formParameter(aboutClientID),
		"client_secret", formParameter(aboutClientSecret),
	)
	body := object(p, "code", "redirect_uri", "code_verifier", "refresh_token", "scope", "client_id", "client_secret")
	var samples Examples
	samples.Set("authorization_code", Example{Summary: "Redeem a code", Value: record(
		"grant_type", "authorization_code", "code", exampleCode, "redirect_uri", exampleRedirect, "code_verifier", exampleVerifier, "client_id", exampleClient,
	)})
	samples.Set("refresh_token", Example{Summary: "Rotate a refresh token", Value: record(
		"grant_type", "refresh_token", "refresh_token", exampleRefresh, "client_id", exampleClient,
	)})
	b.form(op, b.schemas.add("TokenRequest", body), samples)

	t := properties(
		"access_token", typed("string").described("Access token, `svc_at_…`."),
		"token_type", fixed("Bearer"),
		"expires_in", number().described("Seconds that the access token lives."),
		"refresh_token", typed("string").described("Refresh token, `svc_rt_…`; lives 90 days, for one use."),
		"scope", typed("string").described("Granted scopes, separated by spaces."),
	)
	b.flatSuccess(op, "The tokens.", b.schemas.add("TokenResponse", object(t).described("Tokens (RFC 6749 §5.1).")), named("issueToken", record(
		"access_token", exampleAccess, "token_type", "Bearer", "expires_in", 3600, "refresh_token", exampleRefresh, "scope", "profile email cv:read",
	)))
	return b.finish(http.MethodPost, "/oauth/token", op, s, nil)
}

// tokenForm adds the body of introspection and revocation.
func (b *builder) tokenForm(op *Operation) {
	p := properties(
		"token", formParameter("Access or refresh token."),
		"token_type_hint", formParameter("Kind of the token; not needed."),
		"client_id", formParameter(aboutClientID),
		"client_secret", formParameter(aboutClientSecret),
	)
	b.form(op, b.schemas.add("TokenForm", object(p, "token_type_hint", "client_id", "client_secret")),
		named(op.OperationID, record("token", exampleAccess, "client_id", exampleClient)))
}

func (b *builder) introspect() error {
	s := b.surfaces.flatForm
	op := begin(tagOAuth, "introspectToken", "Introspect a token",
		"Says whether a token of the client is live, and what it stands for (RFC 7662). Every other token, unknown, expired, revoked or of another app, is `{\"active\": false}`. Errors are flat.", s, "")
	b.tokenForm(op)
	p := properties(
		"active", typed("boolean").described("Whether the token is live and the client's. If not, there are no other keys."),
		"scope", typed("string").described("Scopes that it holds now, separated by spaces."),
		"client_id", typed("string").described("Client id of the app."),
		"token_type", fixed("Bearer"),
		"sub", typed("string").described("Id of the person."),
		"exp", (&Schema{Type: Types{"integer"}, Format: "int64"}).nullable().described("When it expires, in seconds since 1970; null if it does not."),
		"connection_id", typed("string").described("Id of the connection."),
	)
	schema := b.schemas.add("IntrospectionResponse", object(p, "scope", "client_id", "token_type", "sub", "exp", "connection_id").described("What a token stands for (RFC 7662 §2.2)."))
	var samples Examples
	samples.Set("active", Example{Summary: "A live token", Value: record(
		"active", true, "scope", "profile cv:read", "client_id", exampleClient, "token_type", "Bearer",
		"sub", "usr_06gvr3vbk5ol7cijl0r8teo4t0", "exp", 1787664000, "connection_id", "con_06gvr3vbk5om3a37qc70c7aap8",
	)})
	samples.Set("inactive", Example{Summary: "Any other token", Value: record("active", false)})
	b.flatSuccess(op, "What the token stands for.", schema, samples)
	return b.finish(http.MethodPost, "/oauth/introspect", op, s, nil)
}

func (b *builder) revoke() error {
	s := b.surfaces.form
	s.name, s.anyOrigin = "Revoke", true
	op := begin(tagOAuth, "revokeToken", "Revoke a token", `Revokes a token of the client (RFC 7009). A refresh token takes its family, the connection's access tokens and its durable CV links with it; an
access token goes alone. The answer is success for an unknown or revoked token too, and for a suspended account. It is in the envelope, errors included.`, s, "")
	b.tokenForm(op)
	data := object(properties("revoked", typed("boolean").described("Always true.")))
	envelope := object(properties("data", data, "error", null(), "meta", null()))
	b.flatSuccess(op, "The token is not live, if it ever was.", b.schemas.add("RevocationResponse", envelope), named("revokeToken", record(
		"data", record("revoked", true), "error", nil, "meta", nil,
	)))
	return b.finish(http.MethodPost, "/oauth/revoke", op, s, nil)
}

func (b *builder) form(op *Operation, schema *Schema, samples Examples) {
	op.RequestBody = &RequestBody{Required: true, Description: "A form, at most 1 MiB. A parameter may be there once, and none of them in the query."}
	op.RequestBody.Content.Set(oauth.FormType, MediaTypeBody{Schema: schema, Examples: samples})
}

func (b *builder) flatSuccess(op *Operation, description string, schema *Schema, samples Examples) {
	r := Response{Description: description, Headers: b.headers(append(everywhere(), noStore, pragma), nil)}
	r.Content.Set("application/json", MediaTypeBody{Schema: schema, Examples: samples})
	op.succeed(http.StatusOK, r)
}
