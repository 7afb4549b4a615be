package generate

import (
	"maps"
	"net/http"
	"slices"

	"vitae.internal/gateway/internal/api/oauth"
	"vitae.internal/gateway/internal/api/openapi/model"
)

const (
	aboutClientID     = "Client id; may be left out with HTTP Basic."
	aboutClientSecret = "Client secret of a confidential client, if it does not use HTTP Basic. A public client sends none."
)

// form returns a form endpoint.
func form(s surface, path, id, summary, text string, body *model.Schema, bodies model.Examples, description string, response *model.Schema, examples model.Examples) endpoint {
	e := endpoint{
		method: http.MethodPost, path: path, surface: s, tag: tagOAuth, id: id, summary: summary, text: text,
		body:   &model.RequestBody{Required: true, Description: "A form, at most 1 MiB. A parameter may be there once, and none of them in the query."},
		status: http.StatusOK, description: description, headers: []header{noStore, pragma}, content: jsonContent(response, examples),
	}
	e.body.Content.Set(oauth.FormType, model.MediaTypeBody{Schema: body, Examples: bodies})
	return e
}

func (b *builder) token() endpoint {
	s := b.surfaces.flatForm
	s.name, s.anyOrigin = "Token", true
	s.messages = maps.Clone(s.messages)
	s.messages["OAUTH_INVALID_REQUEST"] = "The parameter code_verifier is missing."
	s.codes = slices.Concat(s.codes, []string{
		"OAUTH_INVALID_GRANT", "OAUTH_INVALID_SCOPE", "OAUTH_UNAUTHORIZED_CLIENT", "OAUTH_UNSUPPORTED_GRANT_TYPE",
	})
	body := model.Object(model.MapOf[*model.Schema](
		"grant_type", (&model.Schema{Type: model.Types{"string"}, Enum: []string{"authorization_code", "refresh_token"}}).Described("Kind of the grant."),
		"code", bounded().Described("The code; for `authorization_code`."),
		"redirect_uri", bounded().Described("The redirect URI that the code was asked for with; for `authorization_code`."),
		"code_verifier", bounded().Described("Verifier of PKCE; for `authorization_code`."),
		"refresh_token", bounded().Described("The refresh token; for `refresh_token`."),
		"scope", bounded().Described("On a refresh, scopes to which the access token is narrowed."),
		"client_id", bounded().Described(aboutClientID),
		"client_secret", bounded().Described(aboutClientSecret),
	), "code", "redirect_uri", "code_verifier", "refresh_token", "scope", "client_id", "client_secret")
	response := model.Object(model.MapOf[*model.Schema](
		"access_token", model.Typed("string").Described("Access token, `svc_at_…`."),
		"token_type", fixed("Bearer"),
		"expires_in", number().Described("Seconds that the access token lives."),
		"refresh_token", model.Typed("string").Described("Refresh token, `svc_rt_…`; lives 90 days, for one use."),
		"scope", model.Typed("string").Described("Granted scopes, separated by spaces."),
	)).Described("Tokens (RFC 6749 §5.1).")
	return form(s, "/oauth/token", "issueToken", "Exchange a code or refresh a token", `Redeems an authorization code, or rotates a refresh token. Errors are flat (RFC 6749 §5.2).

A code is single use: presented again by its client, it also ends the tokens that it gave. A refresh token is rotated on every use: presented
again, it ends its whole family. Both also end the durable CV links of the connection; reading the CV again gives a new one. What was answered
503 because it took too long has not happened, and can be repeated. The granted scope may be narrower than the requested one; the `+"`scope`"+` of the answer is authoritative.`,
		b.schemas.add("TokenRequest", body), model.MapOf[model.Example](
			"authorization_code", model.Example{Summary: "Redeem a code", Value: model.MapOf[any](
				"grant_type", "authorization_code", "code", exampleCode, "redirect_uri", exampleRedirect, "code_verifier", exampleVerifier, "client_id", exampleClient,
			)},
			"refresh_token", model.Example{Summary: "Rotate a refresh token", Value: model.MapOf[any](
				"grant_type", "refresh_token", "refresh_token", exampleRefresh, "client_id", exampleClient,
			)},
		),
		"The tokens.", b.schemas.add("TokenResponse", response), named("issueToken", model.MapOf[any](
			"access_token", exampleAccess, "token_type", "Bearer", "expires_in", 3600, "refresh_token", exampleRefresh, "scope", "profile email cv:read",
		)))
}

// tokenForm adds the schema of the body of introspection and revocation requests.
func (b *builder) tokenForm() *model.Schema {
	return b.schemas.add("TokenForm", model.Object(model.MapOf[*model.Schema](
		"token", bounded().Described("Access or refresh token."),
		"token_type_hint", bounded().Described("Kind of the token; not needed."),
		"client_id", bounded().Described(aboutClientID),
		"client_secret", bounded().Described(aboutClientSecret),
	), "token_type_hint", "client_id", "client_secret"))
}

func (b *builder) introspect() endpoint {
	response := model.Object(model.MapOf[*model.Schema](
		"active", model.Typed("boolean").Described("Whether the token is live and the client's. If not, there are no other keys."),
		"scope", model.Typed("string").Described("Scopes that it holds now, separated by spaces."),
		"client_id", model.Typed("string").Described("Client id of the app."),
		"token_type", fixed("Bearer"),
		"sub", model.Typed("string").Described("Id of the person."),
		"exp", (&model.Schema{Type: model.Types{"integer"}, Format: "int64"}).Nullable().Described("When it expires, in seconds since 1970; null if it does not."),
		"connection_id", model.Typed("string").Described("Id of the connection."),
	), "scope", "client_id", "token_type", "sub", "exp", "connection_id").Described("What a token stands for (RFC 7662 §2.2).")
	return form(b.surfaces.flatForm, "/oauth/introspect", "introspectToken", "Introspect a token",
		"Says whether a token of the client is live, and what it stands for (RFC 7662). Every other token, unknown, expired, revoked or of another app, is `{\"active\": false}`. Errors are flat.",
		b.tokenForm(), named("introspectToken", model.MapOf[any]("token", exampleAccess, "client_id", exampleClient)),
		"What the token stands for.", b.schemas.add("IntrospectionResponse", response), model.MapOf[model.Example](
			"active", model.Example{Summary: "A live token", Value: model.MapOf[any](
				"active", true, "scope", "profile cv:read", "client_id", exampleClient, "token_type", "Bearer",
				"sub", "usr_06gvr3vbk5ol7cijl0r8teo4t0", "exp", 1787664000, "connection_id", "con_06gvr3vbk5om3a37qc70c7aap8",
			)},
			"inactive", model.Example{Summary: "Any other token", Value: model.MapOf[any]("active", false)},
		))
}

func (b *builder) revoke() endpoint {
	s := b.surfaces.form
	s.name, s.anyOrigin = "Revoke", true
	data := model.Object(model.MapOf[*model.Schema]("revoked", model.Typed("boolean").Described("Always true.")))
	response := model.Object(model.MapOf[*model.Schema]("data", data, "error", model.Null(), "meta", model.Null()))
	return form(s, "/oauth/revoke", "revokeToken", "Revoke a token", `Revokes a token of the client (RFC 7009). A refresh token takes its family, the connection's access tokens and its durable CV links with it; an
access token goes alone. The answer is success for an unknown or revoked token too, and for a suspended account. It is in the envelope, errors included.`,
		b.tokenForm(), named("revokeToken", model.MapOf[any]("token", exampleAccess, "client_id", exampleClient)),
		"The token is not live, if it ever was.", b.schemas.add("RevocationResponse", response), named("revokeToken", model.MapOf[any](
			"data", model.MapOf[any]("revoked", true), "error", nil, "meta", nil,
		)))
}
