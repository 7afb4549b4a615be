package partner

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"maps"
	"net/http"
	"net/url"
)

// Method is an authentication method of a client for the OAuth endpoints that accept forms.
type Method int

const (
	// Basic sends the client id and secret with HTTP Basic (RFC 6749 §2.3.1).
	Basic Method = iota
	// Body sends the client id and secret in the form.
	Body
	// Public sends only the client id.
	Public
)

// Client is an OAuth client for one gateway replica.
type Client struct {
	// BaseURL is the base URL of the replica.
	BaseURL string
	// Issuer is the expected "iss" in authorization responses (RFC 9207). It is the same for every
	// replica.
	Issuer string
	// ID and Secret are the client credentials. A public client has no secret.
	ID, Secret string
	// Redirect is the redirect URI.
	Redirect string
	// Method is the authentication method.
	Method Method
}

// At returns a copy of the client for a different replica.
func (c Client) At(baseURL string) Client {
	c.BaseURL = baseURL
	return c
}

// Get requests a path of the REST API. See the function Get.
func (c Client) Get(ctx context.Context, path, token string, headers ...string) (Response, error) {
	return Get(ctx, c.BaseURL+path, token, headers...)
}

// Post sends a form to an OAuth endpoint, with the client's authentication.
func (c Client) Post(ctx context.Context, path string, form url.Values) (Response, error) {
	form = maps.Clone(form)
	if c.Method != Basic {
		form.Set("client_id", c.ID)
	}
	if c.Method == Body {
		form.Set("client_secret", c.Secret)
	}
	var headers []string
	if c.Method == Basic {
		// RFC 6749 §2.3.1 requires both parts to be form-encoded first.
		pair := url.QueryEscape(c.ID) + ":" + url.QueryEscape(c.Secret)
		headers = []string{"Authorization", "Basic " + base64.StdEncoding.EncodeToString([]byte(pair))}
	}
	return Raw(ctx, http.MethodPost, c.BaseURL+path, FormType, form.Encode(), headers...)
}

// Request is an authorization request, with the values that the client needs to redeem the code.
type Request struct {
	// Params is the query of GET /oauth/authorize.
	Params url.Values
	// Verifier is the PKCE code verifier (RFC 7636).
	Verifier string
	// State is the value that the response must contain.
	State string
}

// NewRequest returns a request for space-separated scopes.
func (c Client) NewRequest(scope string) Request {
	r := Request{Verifier: rand.Text() + rand.Text(), State: rand.Text()}
	r.Params = url.Values{
		"response_type": {"code"}, "client_id": {c.ID}, "redirect_uri": {c.Redirect}, "scope": {scope},
		"state": {r.State}, "code_challenge": {challenge(r.Verifier)}, "code_challenge_method": {"S256"},
	}
	return r
}

// challenge returns the S256 code challenge for a verifier (RFC 7636 §4.2).
func challenge(verifier string) string {
	sum := sha256.Sum256([]byte(verifier))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// URL returns the URL to which the partner redirects the person's browser.
func (c Client) URL(r Request) string { return c.BaseURL + "/oauth/authorize?" + r.Params.Encode() }

// CodeForm returns the form that redeems a code.
func (c Client) CodeForm(code, verifier string) url.Values {
	return url.Values{
		"grant_type": {"authorization_code"}, "code": {code},
		"redirect_uri": {c.Redirect}, "code_verifier": {verifier},
	}
}

// Exchange redeems a code.
func (c Client) Exchange(ctx context.Context, code, verifier string) (Response, error) {
	return c.Post(ctx, "/oauth/token", c.CodeForm(code, verifier))
}

// Refresh redeems a refresh token. A non-empty scope narrows the scopes of the new access token.
func (c Client) Refresh(ctx context.Context, token, scope string) (Response, error) {
	form := url.Values{"grant_type": {"refresh_token"}, "refresh_token": {token}}
	if scope != "" {
		form.Set("scope", scope)
	}
	return c.Post(ctx, "/oauth/token", form)
}

// Introspect sends a token to the introspection endpoint (RFC 7662).
func (c Client) Introspect(ctx context.Context, token string) (Response, error) {
	return c.Post(ctx, "/oauth/introspect", url.Values{"token": {token}})
}

// Revoke sends a token to the revocation endpoint (RFC 7009).
func (c Client) Revoke(ctx context.Context, token string) (Response, error) {
	return c.Post(ctx, "/oauth/revoke", url.Values{"token": {token}})
}
