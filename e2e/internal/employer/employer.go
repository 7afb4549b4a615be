// Package employer is a platform's server that acts for employers: it calls the
// partner API with an API key, at one replica of the edge. Like partner, it shows
// every answer as it came, and judges none.
package employer

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"vitae.internal/e2e/internal/partner"
)

// JSON is the media type of every body here.
const JSON = "application/json"

// Client is one key at one replica.
type Client struct {
	// BaseURL of the replica.
	BaseURL string
	// Key is sent as the bearer credential; none when empty.
	Key string
}

// At is the client at another replica.
func (c Client) At(baseURL string) Client {
	c.BaseURL = baseURL
	return c
}

// With is the client with another credential.
func (c Client) With(key string) Client {
	c.Key = key
	return c
}

// Call sends a request. The body is sent as it is when it is a string, not at all
// when it is nil, and as JSON otherwise. Headers are pairs of name and value; they
// replace those that are set here.
func (c Client) Call(ctx context.Context, method, path string, body any, headers ...string) (partner.Answer, error) {
	content, err := encode(body)
	if err != nil {
		return partner.Answer{}, err
	}
	req, err := http.NewRequestWithContext(ctx, method, c.BaseURL+path, content)
	if err != nil {
		return partner.Answer{}, err
	}
	if body != nil {
		req.Header.Set("Content-Type", JSON)
	}
	if c.Key != "" {
		req.Header.Set("Authorization", "Bearer "+c.Key)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	return partner.Do(req)
}

func encode(body any) (io.Reader, error) {
	switch body := body.(type) {
	case nil:
		return http.NoBody, nil
	case string:
		return bytes.NewReader([]byte(body)), nil
	default:
		raw, err := json.Marshal(body)
		if err != nil {
			return nil, fmt.Errorf("a body that is no JSON: %w", err)
		}
		return bytes.NewReader(raw), nil
	}
}

// Get reads a path, with a query if it is not empty.
func (c Client) Get(ctx context.Context, path, query string) (partner.Answer, error) {
	if query != "" {
		path += "?" + query
	}
	return c.Call(ctx, http.MethodGet, path, nil)
}

// Companies lists the companies of the app.
func (c Client) Companies(ctx context.Context, query string) (partner.Answer, error) {
	return c.Get(ctx, "/v1/companies", query)
}

// CreateCompany creates a company.
func (c Client) CreateCompany(ctx context.Context, body any) (partner.Answer, error) {
	return c.Call(ctx, http.MethodPost, "/v1/companies", body)
}

// Company reads a company.
func (c Client) Company(ctx context.Context, id string) (partner.Answer, error) {
	return c.Get(ctx, "/v1/companies/"+url.PathEscape(id), "")
}

// PatchCompany changes a company.
func (c Client) PatchCompany(ctx context.Context, id string, body any) (partner.Answer, error) {
	return c.Call(ctx, http.MethodPatch, "/v1/companies/"+url.PathEscape(id), body)
}

// Jobs lists the jobs of a company.
func (c Client) Jobs(ctx context.Context, company, query string) (partner.Answer, error) {
	return c.Get(ctx, "/v1/companies/"+url.PathEscape(company)+"/jobs", query)
}

// CreateJob creates a job. Headers are pairs of name and value.
func (c Client) CreateJob(ctx context.Context, company string, body any, headers ...string) (partner.Answer, error) {
	return c.Call(ctx, http.MethodPost, "/v1/companies/"+url.PathEscape(company)+"/jobs", body, headers...)
}

// Job reads a job.
func (c Client) Job(ctx context.Context, id string) (partner.Answer, error) {
	return c.Get(ctx, "/v1/jobs/"+url.PathEscape(id), "")
}

// PatchJob changes a job.
func (c Client) PatchJob(ctx context.Context, id string, body any) (partner.Answer, error) {
	return c.Call(ctx, http.MethodPatch, "/v1/jobs/"+url.PathEscape(id), body)
}

// Move publishes, closes or archives a job.
func (c Client) Move(ctx context.Context, id, action string) (partner.Answer, error) {
	return c.Call(ctx, http.MethodPost, "/v1/jobs/"+url.PathEscape(id)+"/"+action, nil)
}

// Candidates lists the applications to a job.
func (c Client) Candidates(ctx context.Context, job, query string) (partner.Answer, error) {
	return c.Get(ctx, "/v1/jobs/"+url.PathEscape(job)+"/candidates", query)
}

// Candidate reads an application in full.
func (c Client) Candidate(ctx context.Context, id string) (partner.Answer, error) {
	return c.Get(ctx, "/v1/candidates/"+url.PathEscape(id), "")
}
