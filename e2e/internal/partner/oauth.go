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

// Method is how a client authenticates at the OAuth endpoints that take a form.
type Method int

const (
	// Basic sends client id and secret by HTTP Basic (RFC 6749 §2.3.1).
	Basic Method = iota
	// Body sends both in the form.
	Body
	// Public sends the client id alone.
	Public
)

// Client is one OAuth client at one replica of the gateway.
type Client struct {
	// BaseURL of the replica.
	BaseURL string
	// Issuer is what the answer to an authorization request must name as "iss"
	// (RFC 9207). It is the same for every replica.
	Issuer string
	// ID and Secret of the client. A public client has no secret.
	ID, Secret string
	// Redirect is the redirect URI.
	Redirect string
	// Method of authentication.
	Method Method
}

// At is the client at another replica.
func (c Client) At(baseURL string) Client {
	c.BaseURL = baseURL
	return c
}

// Get reads a path of the REST API as the function Get reads a URL.
func (c Client) Get(ctx context.Context, path, token string, headers ...string) (Answer, error) {
	return Get(ctx, c.BaseURL+path, token, headers...)
}

// Post sends a form to an OAuth endpoint and adds the client's authentication.
func (c Client) Post(ctx context.Context, path string, form url.Values) (Answer, error) {
	form = maps.Clone(form)
	if c.Method != Basic {
		form.Set("client_id", c.ID)
	}
	if c.Method == Body {
		form.Set("client_secret", c.Secret)
	}
	var headers []string
	if c.Method == Basic {
		// Both halves are form-encoded first (RFC 6749 §2.3.1).
		pair := url.QueryEscape(c.ID) + ":" + url.QueryEscape(c.Secret)
		headers = []string{"Authorization", "Basic " + base64.StdEncoding.EncodeToString([]byte(pair))}
	}
	return Raw(ctx, http.MethodPost, c.BaseURL+path, FormType, form.Encode(), headers...)
}

// Request is an authorization request, with what the client must keep to redeem the
// code.
type Request struct {
	// Params are the query of GET /oauth/authorize.
	Params url.Values
	// Verifier is the code verifier of PKCE (RFC 7636).
	Verifier string
	// State is the value that must come back.
	State string
}

// NewRequest asks for scopes, separated by spaces.
func (c Client) NewRequest(scope string) Request {
	r := Request{Verifier: rand.Text() + rand.Text(), State: rand.Text()}
	r.Params = url.Values{
		"response_type": {"code"}, "client_id": {c.ID}, "redirect_uri": {c.Redirect}, "scope": {scope},
		"state": {r.State}, "code_challenge": {challenge(r.Verifier)}, "code_challenge_method": {"S256"},
	}
	return r
}

// challenge is the S256 challenge of a verifier (RFC 7636 §4.2).
func challenge(verifier string) string {
	sum := sha256.Sum256([]byte(verifier))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// URL is the address to which the partner sends the person's browser.
func (c Client) URL(r Request) string { return c.BaseURL + "/oauth/authorize?" + r.Params.Encode() }

// CodeForm is the form that redeems a code.
func (c Client) CodeForm(code, verifier string) url.Values {
	return url.Values{
		"grant_type": {"authorization_code"}, "code": {code},
		"redirect_uri": {c.Redirect}, "code_verifier": {verifier},
	}
}

// Exchange redeems a code.
func (c Client) Exchange(ctx context.Context, code, verifier string) (Answer, error) {
	return c.Post(ctx, "/oauth/token", c.CodeForm(code, verifier))
}

// Refresh rotates a refresh token. A scope that is not empty narrows the new access
// token.
func (c Client) Refresh(ctx context.Context, token, scope string) (Answer, error) {
	form := url.Values{"grant_type": {"refresh_token"}, "refresh_token": {token}}
	if scope != "" {
		form.Set("scope", scope)
	}
	return c.Post(ctx, "/oauth/token", form)
}

// Introspect sends a token to the introspection endpoint (RFC 7662).
func (c Client) Introspect(ctx context.Context, token string) (Answer, error) {
	return c.Post(ctx, "/oauth/introspect", url.Values{"token": {token}})
}

// Revoke sends a token to the revocation endpoint (RFC 7009).
func (c Client) Revoke(ctx context.Context, token string) (Answer, error) {
	return c.Post(ctx, "/oauth/revoke", url.Values{"token": {token}})
}
