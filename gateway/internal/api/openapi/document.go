package openapi

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"vitae.internal/gateway/internal/answer"
)

// Path is the URL path of the document.
const Path = "/v1/openapi.json"

// BaseURL and AppURL are the URLs of a local stack. The committed document contains them. For replaces them
// with the URLs of the deployment.
const (
	BaseURL = "http://127.0.0.1:8080"
	AppURL  = "http://127.0.0.1:8081"
)

// Committed is the generated document.
//
//go:embed openapi.json
var Committed string

// For returns the document with a deployment's URLs, which must not have a trailing slash.
func For(baseURL, appURL string) ([]byte, error) {
	base, baseErr := json.Marshal(baseURL)
	app, appErr := json.Marshal(appURL)
	if err := errors.Join(baseErr, appErr); err != nil {
		return nil, fmt.Errorf("openapi: %w", err)
	}
	unquoted := func(quoted []byte) string { return string(quoted[1 : len(quoted)-1]) }
	return []byte(strings.NewReplacer(BaseURL, unquoted(base), AppURL, unquoted(app)).Replace(Committed)), nil
}

// Handler returns a handler that serves the document with a deployment's URLs.
func Handler(baseURL, appURL string) (http.Handler, error) {
	document, err := For(baseURL, appURL)
	if err != nil {
		return nil, err
	}
	return Serve(document), nil
}

// Serve returns a handler that serves a document returned by For.
func Serve(document []byte) http.Handler {
	tag := answer.TagOf(document)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer.WriteTagged(w, r, answer.ContentTypeJSON, document, tag, "public, max-age=60, must-revalidate")
	})
}
