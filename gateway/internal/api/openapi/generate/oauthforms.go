package generate

import (
	"maps"
	"net/http"
	"slices"

	"vitae.internal/gateway/internal/api/oauth"
)

// pairs are alternating keys and values.
type pairs []any

func (p pairs) object() Map[any] {
	var m Map[any]
	for i := 0; i < len(p); i += 2 {
		m.Set(p[i].(string), p[i+1])
	}
	return m
}

// formParameter is the schema of a form parameter.
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
	s.name = "Token"
	s.messages = maps.Clone(s.messages)
	s.messages["OAUTH_INVALID_REQUEST"] = "The parameter code_verifier is missing."
	s.codes = slices.Concat(s.codes, []string{
		"OAUTH_INVALID_GRANT", "OAUTH_INVALID_SCOPE", "OAUTH_UNAUTHORIZED_CLIENT", "OAUTH_UNSUPPORTED_GRANT_TYPE",
	})
	op := begin(tagOAuth, "issueToken", "Exchange a code or refresh a token", `Redeems an authorization code, or rotates a refresh token. Errors are flat (RFC 6749 §5.2).

A code is single use: presented again by its client, it also ends the tokens that it gave. A refresh token is rotated on every use: presented
again, it ends its whole family. Both also end the durable CV links of the connection; reading the CV again gives a new one. What was answered
503 because it took too long has not happened, and can be repeated. The granted scope may be narrower than the requested one; the `+"`scope`"+` of the answer is authoritative.`, s, "")
	var p Map[*Schema]
	p.Set("grant_type", (&Schema{Type: Types{"string"}, Enum: []string{"authorization_code", "refresh_token"}}).described("Kind of the grant."))
	p.Set("code", formParameter("The code; for `authorization_code`."))
	p.Set("redirect_uri", formParameter("The redirect URI that the code was asked for with; for `authorization_code`."))
	p.Set("code_verifier", formParameter("Verifier of PKCE; for `authorization_code`."))
	p.Set("refresh_token", formParameter("The refresh token; for `refresh_token`."))
	p.Set("scope", formParameter("On a refresh, scopes to which the access token is narrowed."))
	p.Set("client_id", formParameter(aboutClientID))
	p.Set("client_secret", formParameter(aboutClientSecret))
	body := object(p, "code", "redirect_uri", "code_verifier", "refresh_token", "scope", "client_id", "client_secret")
	var samples Examples
	samples.Set("authorization_code", Example{Summary: "Redeem a code", Value: pairs{
		"grant_type", "authorization_code", "code", exampleCode, "redirect_uri", exampleRedirect, "code_verifier", exampleVerifier, "client_id", exampleClient,
	}.object()})
	samples.Set("refresh_token", Example{Summary: "Rotate a refresh token", Value: pairs{
		"grant_type", "refresh_token", "refresh_token", exampleRefresh, "client_id", exampleClient,
	}.object()})
	b.form(op, b.schemas.add("TokenRequest", body), samples)

	var t Map[*Schema]
	t.Set("access_token", typed("string").described("Access token, `svc_at_…`."))
	t.Set("token_type", fixed("Bearer"))
	t.Set("expires_in", number().described("Seconds that the access token lives."))
	t.Set("refresh_token", typed("string").described("Refresh token, `svc_rt_…`; lives 90 days, for one use."))
	t.Set("scope", typed("string").described("Granted scopes, separated by spaces."))
	b.flatSuccess(op, "The tokens.", b.schemas.add("TokenResponse", object(t).described("Tokens (RFC 6749 §5.1).")), named("issueToken", pairs{
		"access_token", exampleAccess, "token_type", "Bearer", "expires_in", 3600, "refresh_token", exampleRefresh, "scope", "profile email cv:read",
	}.object()))
	return b.finish(http.MethodPost, "/oauth/token", op, s, nil)
}

// tokenForm adds the body of introspection and revocation.
func (b *builder) tokenForm(op *Operation) {
	var p Map[*Schema]
	p.Set("token", formParameter("Access or refresh token."))
	p.Set("token_type_hint", formParameter("Kind of the token; not needed."))
	p.Set("client_id", formParameter(aboutClientID))
	p.Set("client_secret", formParameter(aboutClientSecret))
	b.form(op, b.schemas.add("TokenForm", object(p, "token_type_hint", "client_id", "client_secret")),
		named(op.OperationID, pairs{"token", exampleAccess, "client_id", exampleClient}.object()))
}

func (b *builder) introspect() error {
	s := b.surfaces.flatForm
	op := begin(tagOAuth, "introspectToken", "Introspect a token",
		"Says whether a token of the client is live, and what it stands for (RFC 7662). Every other token, unknown, expired, revoked or of another app, is `{\"active\": false}`. Errors are flat.", s, "")
	b.tokenForm(op)
	var p Map[*Schema]
	p.Set("active", typed("boolean").described("Whether the token is live and the client's. If not, there are no other keys."))
	p.Set("scope", typed("string").described("Scopes that it holds now, separated by spaces."))
	p.Set("client_id", typed("string").described("Client id of the app."))
	p.Set("token_type", fixed("Bearer"))
	p.Set("sub", typed("string").described("Id of the person."))
	p.Set("exp", (&Schema{Type: Types{"integer"}, Format: "int64"}).nullable().described("When it expires, in seconds since 1970; null if it does not."))
	p.Set("connection_id", typed("string").described("Id of the connection."))
	schema := b.schemas.add("IntrospectionResponse", object(p, "scope", "client_id", "token_type", "sub", "exp", "connection_id").described("What a token stands for (RFC 7662 §2.2)."))
	var samples Examples
	samples.Set("active", Example{Summary: "A live token", Value: pairs{
		"active", true, "scope", "profile cv:read", "client_id", exampleClient, "token_type", "Bearer",
		"sub", "usr_06gvr3vbk5ol7cijl0r8teo4t0", "exp", 1787664000, "connection_id", "con_06gvr3vbk5om3a37qc70c7aap8",
	}.object()})
	samples.Set("inactive", Example{Summary: "Any other token", Value: pairs{"active", false}.object()})
	b.flatSuccess(op, "What the token stands for.", schema, samples)
	return b.finish(http.MethodPost, "/oauth/introspect", op, s, nil)
}

func (b *builder) revoke() error {
	s := b.surfaces.form
	s.name, s.anyOrigin = "Revoke", true
	op := begin(tagOAuth, "revokeToken", "Revoke a token", `Revokes a token of the client (RFC 7009). A refresh token takes its family, the connection's access tokens and its durable CV links with it; an
access token goes alone. The answer is success for an unknown or revoked token too, and for a suspended account. It is in the envelope, errors included.`, s, "")
	b.tokenForm(op)
	var data, outer Map[*Schema]
	data.Set("revoked", (&Schema{Type: Types{"boolean"}}).described("Always true."))
	outer.Set("data", object(data))
	outer.Set("error", null())
	outer.Set("meta", null())
	b.flatSuccess(op, "The token is not live, if it ever was.", b.schemas.add("RevocationResponse", object(outer)), named("revokeToken", pairs{
		"data", pairs{"revoked", true}.object(), "error", nil, "meta", nil,
	}.object()))
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
