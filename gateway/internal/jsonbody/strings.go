package jsonbody

import (
	"slices"

	"vitae.internal/pkg/jsonread"
)

// maxText is the maximum length of a string that Strings accepts, in bytes.
const maxText = 4096

// Strings reads the known keys of an object, which must all be present with non-empty strings. It ignores other
// keys. It returns the same errors as Decode.
func Strings(raw []byte, known ...string) (map[string]string, error) {
	values, err := stringsOf(raw, known)
	if err != nil {
		return nil, refusal(err)
	}
	return values, nil
}

func stringsOf(raw []byte, known []string) (map[string]string, error) {
	r, err := start(raw)
	if err != nil {
		return nil, err
	}
	values := map[string]string{}
	err = r.Object(func(key string) error {
		if !slices.Contains(known, key) {
			return r.Skip()
		}
		if r.Kind() != jsonread.String {
			return r.WrongKind(jsonread.String)
		}
		value, err := r.Text()
		switch {
		case err != nil:
			return err
		case value == "":
			return r.Fault("must not be empty")
		case len(value) > maxText:
			return r.Fault("must be at most %d bytes", maxText)
		}
		values[key] = value
		return nil
	})
	if err == nil {
		err = r.End()
	}
	if err != nil {
		return nil, err
	}
	for _, key := range known {
		if _, there := values[key]; !there {
			return nil, r.Missing(key)
		}
	}
	return values, nil
}
