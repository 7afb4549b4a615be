package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"golang.org/x/oauth2"
)

// scopes lists the scopes to request. The person may grant fewer. The granted scopes are in "scope" of the token
// response and in connection.scopes of /v1/me.
var scopes = []string{"profile", "email", "cv:read", "cv:contact"}

// provider holds the fields of the discovery document that this site uses (RFC 8414).
type provider struct {
	Issuer        string `json:"issuer"`
	Authorization string `json:"authorization_endpoint"`
	Token         string `json:"token_endpoint"`
	Revocation    string `json:"revocation_endpoint"`
}

// discover reads the discovery document. It retries until Vitae responds or ctx is done.
func discover(ctx context.Context, client *http.Client, issuer string) (provider, error) {
	for wait := 200 * time.Millisecond; ; wait = min(2*wait, 5*time.Second) {
		p, err := readDiscovery(ctx, client, issuer)
		if err == nil {
			return p, nil
		}
		log.Printf("partner-app: waiting for Vitae: %v", err)
		select {
		case <-ctx.Done():
			return p, ctx.Err()
		case <-time.After(wait):
		}
	}
}

func readDiscovery(ctx context.Context, client *http.Client, issuer string) (provider, error) {
	var p provider
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, issuer+"/.well-known/oauth-authorization-server", nil)
	if err != nil {
		return p, err
	}
	resp, err := client.Do(req)
	if err != nil {
		return p, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return p, fmt.Errorf("the discovery endpoint returns %s", resp.Status)
	}
	if err := json.NewDecoder(resp.Body).Decode(&p); err != nil {
		return p, err
	}
	if p.Issuer != issuer { // RFC 8414 §3.3
		return p, fmt.Errorf("the discovery document has the issuer %q, want %q", p.Issuer, issuer)
	}
	return p, nil
}

// connections returns the URL of the Vitae page on which a person manages what they share. It is derived from the URL
// of the consent page. It returns "" if that URL has an unknown form.
func (p provider) connections() string {
	if app, found := strings.CutSuffix(p.Authorization, "/oauth/authorize"); found {
		return app + "/connections"
	}
	return ""
}

func (p provider) oauthConfig(c config) *oauth2.Config {
	style := oauth2.AuthStyleInHeader // HTTP Basic
	if c.clientSecret == "" {
		style = oauth2.AuthStyleInParams // a public client sends only its id
	}
	return &oauth2.Config{
		ClientID:     c.clientID,
		ClientSecret: c.clientSecret,
		RedirectURL:  c.url + "/callback", // must equal a registered URI exactly
		Scopes:       scopes,
		Endpoint:     oauth2.Endpoint{AuthURL: p.Authorization, TokenURL: p.Token, AuthStyle: style},
	}
}

// attempt is a sign-in that a browser has started. It is stored in the browser's session, on the server.
type attempt struct {
	state    string // binds the response to this browser
	verifier string // PKCE (RFC 7636): binds the code to this attempt
}

// declined is an error response to an authorization request (RFC 6749 §4.1.2.1).
type declined struct{ code, description string }

func (d declined) Error() string { return d.code + ": " + d.description }

// Errors for an authorization response that does not belong to this browser's attempt.
var (
	errWrongState  = errors.New("the response does not belong to a sign-in that was started in this browser")
	errWrongIssuer = errors.New("the response does not come from Vitae")
)

// codeFrom returns the authorization code from the query of the callback. It checks state and iss before anything else.
func (p provider) codeFrom(query url.Values, a attempt) (string, error) {
	if a.state == "" || query.Get("state") != a.state {
		return "", errWrongState
	}
	if query.Get("iss") != p.Issuer { // the response is from another server (RFC 9207)
		return "", errWrongIssuer
	}
	if code := query.Get("error"); code != "" {
		return "", declined{code, query.Get("error_description")}
	}
	return query.Get("code"), nil
}

// keeper is a token source that stores every new pair of tokens.
//
// A refresh token works only once: each refresh returns a new one. If an old one is used again, Vitae assumes that it
// was stolen and revokes all tokens of the sign-in. There is therefore one keeper per sign-in, never one per request,
// and a new pair is stored before it is used. This example stores the pair in the session; a site with a database
// stores it there.
type keeper struct {
	mu      sync.Mutex
	source  oauth2.TokenSource
	current *oauth2.Token
	save    func(*oauth2.Token) error
}

// newKeeper returns a keeper for a new or a stored token. It calls save with each new token.
func newKeeper(ctx context.Context, c *oauth2.Config, t *oauth2.Token, save func(*oauth2.Token) error) *keeper {
	return &keeper{source: c.TokenSource(ctx, t), current: t, save: save}
}

// Token returns a valid access token. It first refreshes a token that is about to expire.
func (k *keeper) Token() (*oauth2.Token, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	t, err := k.source.Token()
	if err != nil {
		return nil, err
	}
	if t.AccessToken != k.current.AccessToken {
		if err := k.save(t); err != nil {
			return nil, fmt.Errorf("store the new tokens: %w", err)
		}
		k.current = t
	}
	return t, nil
}

// isOver reports whether err means that the sign-in has ended and a new one is needed.
func isOver(err error) bool {
	var refused *oauth2.RetrieveError
	return errors.As(err, &refused) && refused.ErrorCode == "invalid_grant"
}

// revoke revokes the refresh token (RFC 7009), and with it the access tokens and the durable CV link.
func revoke(ctx context.Context, client *http.Client, p provider, c config, refreshToken string) error {
	form := url.Values{"token": {refreshToken}, "token_type_hint": {"refresh_token"}}
	if c.clientSecret == "" {
		form.Set("client_id", c.clientID)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.Revocation, strings.NewReader(form.Encode()))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if c.clientSecret != "" {
		// RFC 6749 §2.3.1: both halves are form-encoded first.
		req.SetBasicAuth(url.QueryEscape(c.clientID), url.QueryEscape(c.clientSecret))
	}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return readError(resp)
	}
	return nil
}
