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

// transport keeps enough idle connections for the races. It follows no redirect: a
// redirect is an answer too.
var transport = &http.Client{
	Timeout:   60 * time.Second,
	Transport: &http.Transport{MaxIdleConns: 400, MaxIdleConnsPerHost: 200, IdleConnTimeout: time.Minute},
	CheckRedirect: func(*http.Request, []*http.Request) error {
		return http.ErrUseLastResponse
	},
}

// Watch, if set, is called for every answer of Do with the request and the body that
// was sent. Do returns its error. Set Watch before the first request.
var Watch func(req *http.Request, sent []byte, a Answer) error

// Do sends a request and reads the answer.
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

// Send is Do without Watch. The legacy interface uses it, because the OpenAPI
// document against which answers are judged does not describe that interface.
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

// copied is the body of a request that has not been sent yet. It is nil for a body
// that can be read only once.
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

// Get reads a URL with a bearer token, or without a credential if token is empty.
// Headers are pairs of name and value.
func Get(ctx context.Context, target, token string, headers ...string) (Answer, error) {
	if token != "" {
		headers = append([]string{"Authorization", "Bearer " + token}, headers...)
	}
	return Raw(ctx, http.MethodGet, target, "", "", headers...)
}

// Raw sends a body exactly as given. It sets no Content-Type if contentType is
// empty. Headers are pairs of name and value.
func Raw(ctx context.Context, method, target, contentType, body string, headers ...string) (Answer, error) {
	req, err := http.NewRequestWithContext(ctx, method, target, strings.NewReader(body))
	if err != nil {
		return Answer{}, err
	}
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Add(headers[i], headers[i+1])
	}
	return Do(req)
}
