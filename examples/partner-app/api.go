package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"

	"golang.org/x/oauth2"
)

// maxBody is the maximum size of a response body that is read, in bytes.
const maxBody = 8 << 20

// api calls the Vitae API on behalf of one person.
type api struct {
	base   string
	client *http.Client
	tokens oauth2.TokenSource
}

// apiError is an error response. Branch on Code; Message is for people.
type apiError struct {
	Status     int
	Code       string `json:"code"`
	Message    string `json:"message"`
	RetryAfter int    `json:"-"` // in seconds, for a 429 or 503
}

func (e *apiError) Error() string {
	return fmt.Sprintf("%d %s: %s", e.Status, e.Code, e.Message)
}

// answer is a successful response.
type answer struct {
	Status    int    // 200 or 304
	RequestID string // include it when you ask for help
	ETag      string
	Data      json.RawMessage // nil if the status is 304
}

// get reads a JSON resource. If etag is set, the response may be a 304, which means that the resource has not changed
// since it had that ETag.
func (a api) get(ctx context.Context, path, etag string) (answer, error) {
	resp, err := a.open(ctx, path, etag)
	if err != nil {
		return answer{}, err
	}
	defer resp.Body.Close()
	out := answer{Status: resp.StatusCode, RequestID: resp.Header.Get("X-Request-Id"), ETag: resp.Header.Get("ETag")}
	if resp.StatusCode == http.StatusNotModified {
		return out, nil
	}
	var envelope struct {
		Data json.RawMessage `json:"data"`
	}
	if err := json.NewDecoder(io.LimitReader(resp.Body, maxBody)).Decode(&envelope); err != nil {
		return out, fmt.Errorf("%s: %w", path, err)
	}
	out.Data = envelope.Data
	return out, nil
}

// open sends the request and returns a response with status 200 or 304. The caller must close its body. For any other
// status, open returns an *apiError.
func (a api) open(ctx context.Context, path, etag string) (*http.Response, error) {
	token, err := a.tokens.Token()
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, a.base+path, nil)
	if err != nil {
		return nil, err
	}
	token.SetAuthHeader(req)
	if etag != "" {
		req.Header.Set("If-None-Match", etag)
	}
	resp, err := a.client.Do(req)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode == http.StatusOK || resp.StatusCode == http.StatusNotModified {
		return resp, nil
	}
	defer resp.Body.Close()
	return nil, readError(resp)
}

func readError(resp *http.Response) error {
	var envelope struct {
		Error apiError `json:"error"`
		Meta  struct {
			RetryAfter int `json:"retryAfter"`
		} `json:"meta"`
	}
	// A proxy in between may respond without the envelope. The status is known even then.
	_ = json.NewDecoder(io.LimitReader(resp.Body, maxBody)).Decode(&envelope)
	e := envelope.Error
	e.Status, e.RetryAfter = resp.StatusCode, envelope.Meta.RetryAfter
	if e.RetryAfter == 0 {
		e.RetryAfter = retryAfter(resp)
	}
	if e.Code == "" {
		e.Message = resp.Status
	}
	return &e
}

// me holds the fields of GET /v1/me that this site shows. Later versions of Vitae may add fields to any response, so
// unknown fields are ignored.
type me struct {
	ID         string  `json:"id"`
	Name       string  `json:"name"`
	Username   *string `json:"username"`
	Headline   *string `json:"headline"`
	AvatarURL  *string `json:"avatarUrl"`
	ProfileURL *string `json:"profileUrl"`
	Email      *string `json:"email"` // absent without the email scope
	Connection struct {
		ID        string   `json:"id"`
		Scopes    []string `json:"scopes"`
		CreatedAt string   `json:"createdAt"`
		CV        *struct {
			Title string `json:"title"`
		} `json:"cv"`
	} `json:"connection"`
}

// sharedCV holds the fields of GET /v1/me/cv that this site shows.
type sharedCV struct {
	ID              string             `json:"id"`
	Title           string             `json:"title"`
	UpdatedAt       string             `json:"updatedAt"`
	Language        string             `json:"language"`
	PersonalDetails map[string]*string `json:"personalDetails"`
	PDF             struct {
		URL string `json:"url"`
	} `json:"pdf"`
	Document struct {
		Name         string            `json:"name"`
		Title        *string           `json:"title"`
		Summary      *string           `json:"summary"`
		Location     *string           `json:"location"`
		ContactEmail *string           `json:"contactEmail"`
		Socials      map[string]string `json:"socials"`
		OpenToWork   bool              `json:"openToWork"`
		Skills       []string          `json:"skills"`
		Languages    []string          `json:"languages"`
		Highlights   []struct {
			Title string `json:"title"`
			Desc  string `json:"desc"`
		} `json:"highlights"`
		Experiences []struct {
			Title     string   `json:"title"`
			Company   string   `json:"company"`
			Location  *string  `json:"location"`
			StartDate *string  `json:"startDate"`
			EndDate   *string  `json:"endDate"`
			Current   bool     `json:"current"`
			Overview  *string  `json:"overview"`
			Bullets   []string `json:"bullets"`
		} `json:"experiences"`
		Educations []struct {
			School       string  `json:"school"`
			Degree       *string `json:"degree"`
			FieldOfStudy *string `json:"fieldOfStudy"`
			StartDate    *string `json:"startDate"`
			EndDate      *string `json:"endDate"`
		} `json:"educations"`
		Certifications []struct {
			Name   string `json:"name"`
			Issuer string `json:"issuer"`
		} `json:"certifications"`
		Projects []struct {
			Title       string  `json:"title"`
			Description *string `json:"description"`
			Link        *string `json:"link"`
		} `json:"projects"`
	} `json:"document"`
}
