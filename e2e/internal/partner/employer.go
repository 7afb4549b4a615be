package partner

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
)

// Employer is a client with an API key for one gateway replica.
type Employer struct {
	// BaseURL is the base URL of the replica.
	BaseURL string
	// Key is sent as the bearer token. If it is empty, no credential is sent.
	Key string
}

// At returns a copy of the client for a different replica.
func (e Employer) At(baseURL string) Employer {
	e.BaseURL = baseURL
	return e
}

// With returns a copy of the client with a different key.
func (e Employer) With(key string) Employer {
	e.Key = key
	return e
}

// Call sends a request. It sends no body if body is nil, a string unchanged, and any other value as
// JSON. Headers are pairs of name and value; they override the default headers.
func (e Employer) Call(ctx context.Context, method, path string, body any, headers ...string) (Response, error) {
	content, err := encode(body)
	if err != nil {
		return Response{}, err
	}
	req, err := http.NewRequestWithContext(ctx, method, e.BaseURL+path, content)
	if err != nil {
		return Response{}, err
	}
	if body != nil {
		req.Header.Set("Content-Type", JSON)
	}
	if e.Key != "" {
		req.Header.Set("Authorization", "Bearer "+e.Key)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		req.Header.Set(headers[i], headers[i+1])
	}
	return Do(req)
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
			return nil, fmt.Errorf("encode the body: %w", err)
		}
		return bytes.NewReader(raw), nil
	}
}

// Get requests a path, with the query unless it is empty.
func (e Employer) Get(ctx context.Context, path, query string) (Response, error) {
	if query != "" {
		path += "?" + query
	}
	return e.Call(ctx, http.MethodGet, path, nil)
}

// Companies lists the companies of the app.
func (e Employer) Companies(ctx context.Context, query string) (Response, error) {
	return e.Get(ctx, "/v1/companies", query)
}

// CreateCompany creates a company.
func (e Employer) CreateCompany(ctx context.Context, body any) (Response, error) {
	return e.Call(ctx, http.MethodPost, "/v1/companies", body)
}

// Company reads a company.
func (e Employer) Company(ctx context.Context, id string) (Response, error) {
	return e.Get(ctx, "/v1/companies/"+url.PathEscape(id), "")
}

// PatchCompany changes a company.
func (e Employer) PatchCompany(ctx context.Context, id string, body any) (Response, error) {
	return e.Call(ctx, http.MethodPatch, "/v1/companies/"+url.PathEscape(id), body)
}

// Jobs lists the jobs of a company.
func (e Employer) Jobs(ctx context.Context, company, query string) (Response, error) {
	return e.Get(ctx, "/v1/companies/"+url.PathEscape(company)+"/jobs", query)
}

// CreateJob creates a job. Headers are pairs of name and value.
func (e Employer) CreateJob(ctx context.Context, company string, body any, headers ...string) (Response, error) {
	return e.Call(ctx, http.MethodPost, "/v1/companies/"+url.PathEscape(company)+"/jobs", body, headers...)
}

// Job reads a job.
func (e Employer) Job(ctx context.Context, id string) (Response, error) {
	return e.Get(ctx, "/v1/jobs/"+url.PathEscape(id), "")
}

// PatchJob changes a job.
func (e Employer) PatchJob(ctx context.Context, id string, body any) (Response, error) {
	return e.Call(ctx, http.MethodPatch, "/v1/jobs/"+url.PathEscape(id), body)
}

// Move performs an action on a job: "publish", "close" or "archive".
func (e Employer) Move(ctx context.Context, id, action string) (Response, error) {
	return e.Call(ctx, http.MethodPost, "/v1/jobs/"+url.PathEscape(id)+"/"+action, nil)
}

// Candidates lists the applications for a job.
func (e Employer) Candidates(ctx context.Context, job, query string) (Response, error) {
	return e.Get(ctx, "/v1/jobs/"+url.PathEscape(job)+"/candidates", query)
}

// Candidate reads an application with all its details.
func (e Employer) Candidate(ctx context.Context, id string) (Response, error) {
	return e.Get(ctx, "/v1/candidates/"+url.PathEscape(id), "")
}
