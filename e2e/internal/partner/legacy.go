package partner

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
)

// Legacy is one app at the legacy interface of one replica of the gateway.
type Legacy struct {
	// URL of the legacy interface at the replica.
	URL string
	// ID and Secret of the client.
	ID, Secret string
	// Redirect is the redirect URI.
	Redirect string
}

// At is the app at another replica.
func (l Legacy) At(legacyURL string) Legacy {
	l.URL = legacyURL
	return l
}

// Request returns the parameters of an authorization request, with a new state.
func (l Legacy) Request() url.Values {
	return url.Values{
		"client_id": {l.ID}, "redirect_uri": {l.Redirect}, "response_type": {"code"},
		"scope": {"profile:read"}, "state": {rand.Text()},
	}
}

// Authorize is the address to which the partner sends the person's browser.
func (l Legacy) Authorize(params url.Values) string {
	return l.URL + "/oauth/authorize?" + params.Encode()
}

// Exchange redeems a code.
func (l Legacy) Exchange(ctx context.Context, code string) (Answer, error) {
	raw, err := json.Marshal(map[string]string{
		"client_id": l.ID, "client_secret": l.Secret, "code": code, "grant_type": "authorization_code",
	})
	if err != nil {
		return Answer{}, err
	}
	return l.Send(ctx, http.MethodPost, "/api/oauth/token", string(raw), "Content-Type", JSON)
}

// Profile reads the profile that a token opens.
func (l Legacy) Profile(ctx context.Context, token string) (Answer, error) {
	return l.Send(ctx, http.MethodGet, "/api/oauth/profile", "", "Authorization", "Bearer "+token)
}

// Revoke ends a token.
func (l Legacy) Revoke(ctx context.Context, token string) (Answer, error) {
	return l.Send(ctx, http.MethodPost, "/api/oauth/revoke", "", "Authorization", "Bearer "+token)
}

// Send sends any request. Headers are pairs of name and value.
func (l Legacy) Send(ctx context.Context, method, path, body string, headers ...string) (Answer, error) {
	req, err := http.NewRequestWithContext(ctx, method, l.URL+path, strings.NewReader(body))
	if err != nil {
		return Answer{}, err
	}
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Add(headers[i], headers[i+1])
	}
	return Send(req)
}
