package contract

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// onceEach returns an error unless text is a single JSON value without duplicate keys.
func onceEach(text []byte) error {
	tokens := json.NewDecoder(bytes.NewReader(text))
	tokens.UseNumber()
	if err := onceIn(tokens); err != nil {
		return err
	}
	if _, err := tokens.Token(); err != io.EOF {
		return errors.New("more than one JSON value")
	}
	return nil
}

func onceIn(tokens *json.Decoder) error {
	token, err := tokens.Token()
	if err != nil {
		return fmt.Errorf("invalid JSON: %w", err)
	}
	open, nested := token.(json.Delim)
	if !nested {
		return nil
	}
	seen := map[string]bool{}
	for tokens.More() {
		if open == '{' {
			key, err := tokens.Token()
			if err != nil {
				return fmt.Errorf("invalid JSON: %w", err)
			}
			name, _ := key.(string) // a key always is a string
			if seen[name] {
				return fmt.Errorf("duplicate key %q", name)
			}
			seen[name] = true
		}
		if err := onceIn(tokens); err != nil {
			return err
		}
	}
	_, err = tokens.Token()
	return err
}
