package openapi

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strconv"

	"vitae.internal/gateway/internal/answer"
)

// Path is the path of the document.
const Path = "/v1/openapi.json"

// Handler serves the document of a deployment.
func Handler(baseURL, appURL string) (http.Handler, error) {
	document, err := For(baseURL, appURL)
	if err != nil {
		return nil, err
	}
	return Serve(document), nil
}

// Serve serves a document of For.
func Serve(document []byte) http.Handler {
	sum := sha256.Sum256(document)
	tag := base64.RawURLEncoding.EncodeToString(sum[:])
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("ETag", `"`+tag+`"`)
		h.Set("Cache-Control", "public, max-age=60, must-revalidate")
		if answer.ParseIfNoneMatch(r.Header.Values("If-None-Match")).Match(tag) {
			answer.NotModified(w)
			return
		}
		h.Set("Content-Type", "application/json")
		h.Set("Content-Length", strconv.Itoa(len(document)))
		w.WriteHeader(http.StatusOK)
		_, _ = w.Write(document) // an error means that the client has gone
	})
}
