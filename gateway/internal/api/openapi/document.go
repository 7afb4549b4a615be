package openapi

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"strings"
)

// Addresses of a local stack. They stand in the committed document and are replaced
// by those of the deployment.
const (
	BaseURL = "http://127.0.0.1:8080"
	AppURL  = "http://127.0.0.1:8081"
)

// Committed is the document as it was generated.
//
//go:embed openapi.json
var Committed string

// For returns the document with the addresses of a deployment. Both addresses have
// no trailing slash.
func For(baseURL, appURL string) ([]byte, error) {
	base, err := quoted(baseURL)
	if err != nil {
		return nil, err
	}
	app, err := quoted(appURL)
	if err != nil {
		return nil, err
	}
	return []byte(strings.NewReplacer(BaseURL, base, AppURL, app).Replace(Committed)), nil
}

// quoted returns s as it stands between the quotes of a JSON string.
func quoted(s string) (string, error) {
	raw, err := json.Marshal(s)
	if err != nil {
		return "", fmt.Errorf("openapi: %w", err)
	}
	return string(raw[1 : len(raw)-1]), nil
}
