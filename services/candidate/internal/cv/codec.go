package cv

import (
	"encoding/json"
	"fmt"
)

// version is that of the stored form. Increase it if old code would misread a change, and
// make Decode read both.
const version = 1

type stored struct {
	Version int `json:"v"`
	Content
}

// Encode returns the stored form of c.
func Encode(c Content) ([]byte, error) {
	raw, err := json.Marshal(stored{Version: version, Content: c})
	if err != nil {
		return nil, fmt.Errorf("cv: encode: %w", err)
	}
	return raw, nil
}

// Decode reads what Encode wrote.
func Decode(raw []byte) (Content, error) {
	var s stored
	if err := json.Unmarshal(raw, &s); err != nil {
		return Content{}, fmt.Errorf("cv: decode: %w", err)
	}
	if s.Version != version {
		return Content{}, fmt.Errorf("cv: decode: unknown version %d", s.Version)
	}
	return s.Content, nil
}
