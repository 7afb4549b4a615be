package partner

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
)

// Answer is a response whose body has been read to its end.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// JSON decodes the body as a JSON object. Numbers are json.Number. It returns an
// error if the body is not a JSON object.
func (a Answer) JSON() (map[string]any, error) {
	d := json.NewDecoder(bytes.NewReader(a.Body))
	d.UseNumber()
	var m map[string]any
	if err := d.Decode(&m); err != nil {
		return nil, fmt.Errorf("status %d, no JSON object: %w: %.200s", a.Status, err, a.Body)
	}
	return m, nil
}

// Code is the error code of an envelope or of a flat body (RFC 6749 §5.2). It is
// empty if the answer has none.
func (a Answer) Code() string {
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

// Message is the message of an envelope's error; empty if the answer has none.
func (a Answer) Message() string {
	var body struct{ Error struct{ Message string } }
	_ = json.Unmarshal(a.Body, &body) // another shape has none
	return body.Error.Message
}

// String shows the status and the beginning of the body.
func (a Answer) String() string { return fmt.Sprintf("%d %.300s", a.Status, a.Body) }

// Tokens are the tokens of a token response (RFC 6749 §5.1).
type Tokens struct {
	Access  string `json:"access_token"`
	Refresh string `json:"refresh_token"`
	Scope   string `json:"scope"`
}

// Tokens reads a token response. Any other answer is an error.
func (a Answer) Tokens() (Tokens, error) {
	var t Tokens
	if err := json.Unmarshal(a.Body, &t); err != nil || a.Status != http.StatusOK || t.Access == "" || t.Refresh == "" {
		return Tokens{}, fmt.Errorf("no tokens: %s", a)
	}
	return t, nil
}
