package partner

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
)

// Legacy is an app that uses the legacy interface of one gateway replica.
type Legacy struct {
	// URL is the base URL of the replica's legacy interface.
	URL string
	// ID and Secret are the client credentials.
	ID, Secret string
	// Redirect is the redirect URI.
	Redirect string
}

// At returns a copy of the client for a different replica.
func (l Legacy) At(legacyURL string) Legacy {
	l.URL = legacyURL
	return l
}

// Request returns the parameters of a new authorization request, with a random state.
func (l Legacy) Request() url.Values {
	return url.Values{
		"client_id": {l.ID}, "redirect_uri": {l.Redirect}, "response_type": {"code"},
		"scope": {"profile:read"}, "state": {rand.Text()},
	}
}

// Authorize returns the URL to which the partner redirects the person's browser.
func (l Legacy) Authorize(params url.Values) string {
	return l.URL + "/oauth/authorize?" + params.Encode()
}

// Exchange redeems a code.
func (l Legacy) Exchange(ctx context.Context, code string) (Response, error) {
	raw, err := json.Marshal(map[string]string{
		"client_id": l.ID, "client_secret": l.Secret, "code": code, "grant_type": "authorization_code",
	})
	if err != nil {
		return Response{}, err
	}
	return l.Send(ctx, http.MethodPost, "/api/oauth/token", string(raw), "Content-Type", JSON)
}

// Profile reads the profile that a token grants access to.
func (l Legacy) Profile(ctx context.Context, token string) (Response, error) {
	return l.Send(ctx, http.MethodGet, "/api/oauth/profile", "", "Authorization", "Bearer "+token)
}

// Revoke revokes a token.
func (l Legacy) Revoke(ctx context.Context, token string) (Response, error) {
	return l.Send(ctx, http.MethodPost, "/api/oauth/revoke", "", "Authorization", "Bearer "+token)
}

// Send sends a request. Headers are pairs of name and value.
func (l Legacy) Send(ctx context.Context, method, path, body string, headers ...string) (Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, l.URL+path, strings.NewReader(body))
	if err != nil {
		return Response{}, err
	}
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Add(headers[i], headers[i+1])
	}
	return Send(req)
}
