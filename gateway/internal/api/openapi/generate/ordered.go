package generate

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
)

// Map is a JSON object whose keys keep their order: that in which a person reads
// them. The zero Map is empty.
type Map[T any] struct {
	keys   []string
	values map[string]T
}

// Set adds a key at the end, or replaces its value.
func (m *Map[T]) Set(key string, value T) {
	if m.values == nil {
		m.values = map[string]T{}
	}
	if _, there := m.values[key]; !there {
		m.keys = append(m.keys, key)
	}
	m.values[key] = value
}

// Get gives the value of a key.
func (m *Map[T]) Get(key string) (value T, there bool) {
	value, there = m.values[key]
	return value, there
}

// Keys are the keys in their order.
func (m *Map[T]) Keys() []string { return slices.Clone(m.keys) }

// Sort puts the keys into alphabetical order.
func (m *Map[T]) Sort() { slices.Sort(m.keys) }

// SortFunc puts the keys into an order; equal ones stay as they are.
func (m *Map[T]) SortFunc(order func(a, b T) int) {
	slices.SortStableFunc(m.keys, func(a, b string) int { return order(m.values[a], m.values[b]) })
}

// IsZero reports whether the object is empty.
func (m Map[T]) IsZero() bool { return len(m.keys) == 0 }

// MarshalJSON implements json.Marshaler.
func (m Map[T]) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, key := range m.keys {
		if i > 0 {
			b = append(b, ',')
		}
		name, err := marshal(key)
		if err != nil {
			return nil, err
		}
		value, err := marshal(m.values[key])
		if err != nil {
			return nil, err
		}
		b = append(append(append(b, name...), ':'), value...)
	}
	return append(b, '}'), nil
}

// UnmarshalJSON implements json.Unmarshaler. Keys keep the order of the text.
func (m *Map[T]) UnmarshalJSON(raw []byte) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return errors.Join(errors.New("generate: not a JSON object"), err)
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
		m.Set(key.(string), value) // the decoder lets no other key through
	}
	return nil
}

// marshal leaves HTML characters as they are.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
