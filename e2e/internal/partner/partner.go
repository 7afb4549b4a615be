// Package partner is a partner's server: it makes authorization requests, calls
// the OAuth endpoints and reads the REST API, at one replica of the edge. It shows
// every answer as it came, and judges none.
package partner

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// How a client authenticates at the form endpoints.
type Method int

const (
	// Basic sends client id and secret by HTTP Basic.
	Basic Method = iota
	// Body sends both in the form.
	Body
	// Public sends the client id alone.
	Public
)

// Client is one OAuth client at one replica of the edge.
type Client struct {
	// BaseURL of the replica.
	BaseURL string
	// ID and Secret of the client.
	ID, Secret string
	// Redirect URI.
	Redirect string
	// Method of authentication.
	Method Method
}

// transport keeps enough connections for the races, and follows no redirect.
var transport = &http.Client{
	Timeout:   60 * time.Second,
	Transport: &http.Transport{MaxIdleConns: 400, MaxIdleConnsPerHost: 200, IdleConnTimeout: time.Minute},
	CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	},
}

// Answer is a response, read whole.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// JSON is the body as a JSON object.
func (a Answer) JSON() (map[string]any, error) {
	d := json.NewDecoder(bytes.NewReader(a.Body))
	d.UseNumber()
	var m map[string]any
	if err := d.Decode(&m); err != nil {
		return nil, fmt.Errorf("status %d, no JSON object: %w: %.200s", a.Status, err, a.Body)
	}
	return m, nil
}

// Code is the error code of an envelope or of a flat body, empty if there is none.
func (a Answer) Code() string {
	m, err := a.JSON()
	if err != nil {
		return ""
	}
	switch e := m["error"].(type) {
	case string:
		return e
	case map[string]any:
		code, _ := e["code"].(string)
		return code
	}
	return ""
}

func (a Answer) String() string { return fmt.Sprintf("%d %.300s", a.Status, a.Body) }

// Watch, when it is set, sees every request, with the body that was sent, and its
// answer; what it finds wrong is an error of Do's. It is set before the first request.
var Watch func(req *http.Request, sent []byte, a Answer) error

// Do sends a request.
func Do(req *http.Request) (Answer, error) {
	sent, err := copied(req)
	if err != nil {
		return Answer{}, err
	}
	a, err := Send(req)
	if err == nil && Watch != nil {
		err = Watch(req, sent, a)
	}
	return a, err
}

// Send sends a request that nobody watches, to what is no part of the interface
// that the watched ones go to.
func Send(req *http.Request) (Answer, error) {
	res, err := transport.Do(req)
	if err != nil {
		return Answer{}, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return Answer{}, err
	}
	return Answer{Status: res.StatusCode, Header: res.Header, Body: body}, nil
}

// copied is the body of a request that was not sent yet, nil for one that cannot be
// read twice.
func copied(req *http.Request) ([]byte, error) {
	if req.GetBody == nil {
		return nil, nil
	}
	body, err := req.GetBody()
	if err != nil {
		return nil, err
	}
	defer body.Close()
	return io.ReadAll(body)
}

// Get reads a path with a bearer token; none when token is empty. Headers are
// pairs of name and value.
func (c Client) Get(ctx context.Context, path, token string, headers ...string) (Answer, error) {
	return Get(ctx, c.BaseURL+path, token, headers...)
}

// Get reads a URL as Client.Get does.
func Get(ctx context.Context, target, token string, headers ...string) (Answer, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, target, nil)
	if err != nil {
		return Answer{}, err
	}
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Add(headers[i], headers[i+1])
	}
	return Do(req)
}

// Post sends a form to an OAuth endpoint, with the client's authentication added.
func (c Client) Post(ctx context.Context, path string, form url.Values) (Answer, error) {
	form = clone(form)
	if c.Method != Basic {
		form.Set("client_id", c.ID)
	}
	if c.Method == Body {
		form.Set("client_secret", c.Secret)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.BaseURL+path, strings.NewReader(form.Encode()))
	if err != nil {
		return Answer{}, err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if c.Method == Basic {
		req.SetBasicAuth(url.QueryEscape(c.ID), url.QueryEscape(c.Secret))
	}
	return Do(req)
}

func clone(form url.Values) url.Values {
	out := url.Values{}
	for k, v := range form {
		out[k] = append([]string(nil), v...)
	}
	return out
}

// At is the client at another replica.
func (c Client) At(baseURL string) Client {
	c.BaseURL = baseURL
	return c
}

// Request is an authorization request, with what must be kept to redeem its code.
type Request struct {
	// Params of GET /oauth/authorize.
	Params url.Values
	// Verifier of PKCE (RFC 7636).
	Verifier string
	// State that must come back.
	State string
}

// NewRequest asks for scopes, separated by spaces.
func (c Client) NewRequest(scope string) Request {
	r := Request{Verifier: rand.Text() + rand.Text(), State: rand.Text()}
	r.Params = url.Values{
		"response_type": {"code"}, "client_id": {c.ID}, "redirect_uri": {c.Redirect}, "scope": {scope},
		"state": {r.State}, "code_challenge": {Challenge(r.Verifier)}, "code_challenge_method": {"S256"},
	}
	return r
}

// Challenge is the S256 challenge of a verifier.
func Challenge(verifier string) string {
	sum := sha256.Sum256([]byte(verifier))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// URL is where the person's browser is sent.
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

// Refresh rotates a refresh token; a scope narrows it unless it is empty.
func (c Client) Refresh(ctx context.Context, token, scope string) (Answer, error) {
	form := url.Values{"grant_type": {"refresh_token"}, "refresh_token": {token}}
	if scope != "" {
		form.Set("scope", scope)
	}
	return c.Post(ctx, "/oauth/token", form)
}

// Introspect asks what a token is.
func (c Client) Introspect(ctx context.Context, token string) (Answer, error) {
	return c.Post(ctx, "/oauth/introspect", url.Values{"token": {token}})
}

// Revoke revokes a token.
func (c Client) Revoke(ctx context.Context, token string) (Answer, error) {
	return c.Post(ctx, "/oauth/revoke", url.Values{"token": {token}})
}

// Tokens are those of a token response.
type Tokens struct {
	Access  string `json:"access_token"`
	Refresh string `json:"refresh_token"`
	Scope   string `json:"scope"`
}

// Tokens reads a token response.
func (a Answer) Tokens() (Tokens, error) {
	var t Tokens
	if err := json.Unmarshal(a.Body, &t); err != nil || a.Status != http.StatusOK || t.Access == "" || t.Refresh == "" {
		return Tokens{}, fmt.Errorf("no tokens: %s", a)
	}
	return t, nil
}
