//go:build compose

package compose_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

// request is a request that a client sends repeatedly.
type request struct {
	every                      time.Duration
	want                       int
	method, target, credential string
	// body returns a new body for each request. It is nil if the request has no body.
	body func() string
}

// newClient returns a client that does not follow redirects.
func newClient() *http.Client {
	return &http.Client{Transport: &http.Transport{}, Timeout: requestTimeout, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// company is a body that creates a company, with a placeholder for a unique external id.
const company = `{"name":"Load Test","industry":"Food","employeeCount":"11-50","location":"Sharjah, United Arab Emirates",` +
	`"description":"Made by a test of the deployment, one among a great many that are alike.","externalId":"load-%d"}`

func (l *load) send(c *http.Client, r request) {
	var body io.Reader
	if r.body != nil {
		body = strings.NewReader(r.body())
	}
	req, err := http.NewRequest(r.method, r.target, body)
	if err != nil {
		panic(err) // cannot happen: the URLs are constants
	}
	if r.credential != "" {
		req.Header.Set("Authorization", "Bearer "+r.credential)
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	began := time.Now()
	res, err := c.Do(req)
	var a partner.Response
	if err == nil {
		a.Status, a.Header = res.StatusCode, res.Header
		a.Body, err = io.ReadAll(res.Body)
		res.Body.Close()
	}
	l.record(began, r.method+" "+r.target, r.want, a, err)
}

// visit opens the connected apps page, which requires a signed-in person.
func (l *load) visit(p *person.Person) {
	ctx, cancel := context.WithTimeout(context.Background(), requestTimeout)
	defer cancel()
	began := time.Now()
	status, body, err := p.Read(ctx, pages+"/connections")
	if err == nil && status == http.StatusOK && !strings.Contains(body, "Disconnect") {
		err = errors.New("the person is not signed in")
	}
	l.record(began, "GET "+pages+"/connections", http.StatusOK, partner.Response{Status: status, Body: []byte(body)}, err)
}

// refresher refreshes repeatedly, each time with the refresh token from the previous response.
type refresher struct {
	load   *load
	client partner.Client
	person *person.Person
	token  string
	// doubtful is set if the last response was lost. The token may have been used; using it again would
	// then revoke the whole token family, as for a stolen token.
	doubtful bool
}

func (r *refresher) refresh() {
	ctx, cancel := context.WithTimeout(context.Background(), requestTimeout)
	defer cancel()
	began := time.Now()
	a, err := r.client.Refresh(ctx, r.token, "")
	next, none := a.Tokens()
	switch {
	case none == nil:
		r.token, r.doubtful = next.Refresh, false
	case r.doubtful && a.Status == http.StatusBadRequest:
		if again, err := scene.TryConnect(ctx, r.client, r.person, world.EveryScope); err == nil {
			r.token, r.doubtful = again.Refresh, false
		}
		return
	default:
		r.doubtful = true
	}
	r.load.record(began, "refresh", http.StatusOK, a, err)
}
