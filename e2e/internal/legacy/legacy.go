// Package legacy is a partner's server of older days: it calls the older
// profile-sharing interface, at one replica of the edge, and judges no answer.
package legacy

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"net/url"

	"vitae.internal/e2e/internal/partner"
)

// Client is one app at one replica of the edge.
type Client struct {
	// URL of the older interface at the replica.
	URL string
	// ID and Secret of the client.
	ID, Secret string
	// Redirect URI.
	Redirect string
}

// At is the client at another replica.
func (c Client) At(legacyURL string) Client {
	c.URL = legacyURL
	return c
}

// Request gives the parameters of an authorization request, with a new state.
func (c Client) Request() url.Values {
	return url.Values{
		"client_id": {c.ID}, "redirect_uri": {c.Redirect}, "response_type": {"code"},
		"scope": {"profile:read"}, "state": {rand.Text()},
	}
}

// Authorize is where the person's browser is sent.
func (c Client) Authorize(params url.Values) string {
	return c.URL + "/oauth/authorize?" + params.Encode()
}

// Exchange redeems a code.
func (c Client) Exchange(ctx context.Context, code string) (partner.Answer, error) {
	return c.Token(ctx, c.TokenBody(code))
}

// TokenBody is the body that redeems a code.
func (c Client) TokenBody(code string) map[string]any {
	return map[string]any{"client_id": c.ID, "client_secret": c.Secret, "code": code, "grant_type": "authorization_code"}
}

// Token sends a body to the token endpoint.
func (c Client) Token(ctx context.Context, body map[string]any) (partner.Answer, error) {
	raw, err := json.Marshal(body)
	if err != nil {
		return partner.Answer{}, err
	}
	return c.Send(ctx, http.MethodPost, "/api/oauth/token", string(raw), "Content-Type", "application/json")
}

// Profile reads the person behind a token.
func (c Client) Profile(ctx context.Context, token string) (partner.Answer, error) {
	return c.Send(ctx, http.MethodGet, "/api/oauth/profile", "", "Authorization", "Bearer "+token)
}

// Revoke ends a token.
func (c Client) Revoke(ctx context.Context, token string) (partner.Answer, error) {
	return c.Send(ctx, http.MethodPost, "/api/oauth/revoke", "", "Authorization", "Bearer "+token)
}

// Send sends any request; headers are pairs of name and value.
func (c Client) Send(ctx context.Context, method, path, body string, headers ...string) (partner.Answer, error) {
	req, err := http.NewRequestWithContext(ctx, method, c.URL+path, bytes.NewReader([]byte(body)))
	if err != nil {
		return partner.Answer{}, err
	}
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Add(headers[i], headers[i+1])
	}
	return partner.Send(req)
}
