package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
)

// Map is a JSON object that keeps the order of its keys. The zero Map is empty.
type Map[T any] struct {
	keys   []string
	values map[string]T
}

// MapOf returns a Map from alternating keys and values.
func MapOf[T any](pairs ...any) (m Map[T]) {
	for i := 0; i < len(pairs); i += 2 {
		value, _ := pairs[i+1].(T) // nil stays nil
		m.Set(pairs[i].(string), value)
	}
	return m
}

// Set appends a key, or replaces its value.
func (m *Map[T]) Set(key string, value T) {
	if m.values == nil {
		m.values = map[string]T{}
	}
	if _, there := m.values[key]; !there {
		m.keys = append(m.keys, key)
	}
	m.values[key] = value
}

// Get returns the value of a key and reports whether the key exists.
func (m *Map[T]) Get(key string) (value T, there bool) {
	value, there = m.values[key]
	return value, there
}

// Keys returns the keys in order.
func (m *Map[T]) Keys() []string { return slices.Clone(m.keys) }

// Sort sorts the keys alphabetically.
func (m *Map[T]) Sort() { slices.Sort(m.keys) }

// SortFunc sorts the keys by their values, with a stable sort.
func (m *Map[T]) SortFunc(order func(a, b T) int) {
	slices.SortStableFunc(m.keys, func(a, b string) int { return order(m.values[a], m.values[b]) })
}

// IsZero reports whether the object is empty.
func (m Map[T]) IsZero() bool { return len(m.keys) == 0 }

func (m Map[T]) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, key := range m.keys {
		if i > 0 {
			b = append(b, ',')
		}
		name, err := Marshal(key)
		if err != nil {
			return nil, err
		}
		value, err := Marshal(m.values[key])
		if err != nil {
			return nil, err
		}
		b = append(append(append(b, name...), ':'), value...)
	}
	return append(b, '}'), nil
}

// UnmarshalJSON keeps the keys in the order of the input.
func (m *Map[T]) UnmarshalJSON(raw []byte) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return errors.Join(errors.New("model: not a JSON object"), err)
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		var value T
		if err := d.Decode(&value); err != nil {
			return err
		}
		m.Set(key.(string), value) // object keys are always strings
	}
	return nil
}

// Marshal encodes v without escaping HTML characters.
func Marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
