package partner

import (
	"context"
	"io"
	"net/http"
	"strings"
	"time"
)

// Media types of request bodies.
const (
	JSON     = "application/json"
	FormType = "application/x-www-form-urlencoded"
)

// transport keeps enough idle connections for tests of races. It does not follow redirects, because
// tests check redirects like any other response.
var transport = &http.Client{
	Timeout:   60 * time.Second,
	Transport: &http.Transport{MaxIdleConns: 400, MaxIdleConnsPerHost: 200, IdleConnTimeout: time.Minute},
	CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	},
}

// Watch, if set, is called for every response of Do, with the request and its body. Do returns the
// error of Watch. Set it before the first request.
var Watch func(req *http.Request, sent []byte, a Response) error

// Do sends a request and reads the response.
func Do(req *http.Request) (Response, error) {
	sent, err := copied(req)
	if err != nil {
		return Response{}, err
	}
	a, err := Send(req)
	if err == nil && Watch != nil {
		err = Watch(req, sent, a)
	}
	return a, err
}

// Send is like Do, but does not call Watch. It is for the legacy interface, which the OpenAPI document
// does not describe.
func Send(req *http.Request) (Response, error) {
	res, err := transport.Do(req)
	if err != nil {
		return Response{}, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return Response{}, err
	}
	return Response{Status: res.StatusCode, Header: res.Header, Body: body}, nil
}

// copied returns a copy of the body of an unsent request, or nil if the body can be read only once.
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

// Get requests a URL with a bearer token, or without a credential if token is empty. Headers are pairs
// of name and value.
func Get(ctx context.Context, target, token string, headers ...string) (Response, error) {
	if token != "" {
		headers = append([]string{"Authorization", "Bearer " + token}, headers...)
	}
	return Raw(ctx, http.MethodGet, target, "", "", headers...)
}

// Raw sends a body exactly as given. It sets no Content-Type if contentType is empty. Headers are pairs
// of name and value.
func Raw(ctx context.Context, method, target, contentType, body string, headers ...string) (Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, target, strings.NewReader(body))
	if err != nil {
		return Response{}, err
	}
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Add(headers[i], headers[i+1])
	}
	return Do(req)
}
