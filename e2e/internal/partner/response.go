package partner

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
)

// Response is a response with its whole body.
type Response struct {
	Status int
	Header http.Header
	Body   []byte
}

// JSON decodes the body as a JSON object, with numbers as json.Number. It returns an error if the body
// is not a JSON object.
func (a Response) JSON() (map[string]any, error) {
	d := json.NewDecoder(bytes.NewReader(a.Body))
	d.UseNumber()
	var m map[string]any
	if err := d.Decode(&m); err != nil {
		return nil, fmt.Errorf("status %d, not a JSON object: %w: %.200s", a.Status, err, a.Body)
	}
	return m, nil
}

// Code returns the error code from an envelope or a flat body (RFC 6749 §5.2), or "" if there is none.
func (a Response) Code() string {
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

// Message returns the error message from an envelope, or "" if there is none.
func (a Response) Message() string {
	var body struct{ Error struct{ Message string } }
	_ = json.Unmarshal(a.Body, &body) // other bodies have no message
	return body.Error.Message
}

// String returns the status and the beginning of the body.
func (a Response) String() string { return fmt.Sprintf("%d %.300s", a.Status, a.Body) }

// Tokens holds the tokens of a token response (RFC 6749 §5.1).
type Tokens struct {
	Access  string `json:"access_token"`
	Refresh string `json:"refresh_token"`
	Scope   string `json:"scope"`
}

// Tokens parses a token response. It returns an error for any other response.
func (a Response) Tokens() (Tokens, error) {
	var t Tokens
	if err := json.Unmarshal(a.Body, &t); err != nil || a.Status != http.StatusOK || t.Access == "" || t.Refresh == "" {
		return Tokens{}, fmt.Errorf("no tokens: %s", a)
	}
	return t, nil
}
