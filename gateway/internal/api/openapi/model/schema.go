package model

import "slices"

// Schema is a JSON Schema (draft 2020-12).
type Schema struct {
	Ref         string       `json:"$ref,omitempty"`
	Type        Types        `json:"type,omitempty"`
	Description string       `json:"description,omitempty"`
	Format      string       `json:"format,omitempty"`
	Const       any          `json:"const,omitempty"`
	Enum        []string     `json:"enum,omitempty"`
	Pattern     string       `json:"pattern,omitempty"`
	MinLength   int32        `json:"minLength,omitempty"`
	MaxLength   int32        `json:"maxLength,omitempty"`
	Minimum     *float64     `json:"minimum,omitempty"`
	Maximum     *float64     `json:"maximum,omitempty"`
	Default     any          `json:"default,omitempty"`
	MinItems    int32        `json:"minItems,omitempty"`
	MaxItems    int32        `json:"maxItems,omitempty"`
	Items       *Schema      `json:"items,omitempty"`
	Required    []string     `json:"required,omitempty"`
	Properties  Map[*Schema] `json:"properties,omitzero"`
	// Additional is the schema of keys that Properties does not list. Nil allows any value.
	Additional *Schema   `json:"additionalProperties,omitempty"`
	AnyOf      []*Schema `json:"anyOf,omitempty"`
}

// Types lists the JSON types that a value may have.
type Types []string

// MarshalJSON writes a single type as a string, and several types as a list.
func (t Types) MarshalJSON() ([]byte, error) {
	if len(t) == 1 {
		return Marshal(t[0])
	}
	return Marshal([]string(t))
}

// Typed returns a schema with one type.
func Typed(name string) *Schema { return &Schema{Type: Types{name}} }

// Null returns the schema of null.
func Null() *Schema { return Typed("null") }

// Ref returns a reference to a named schema of the document.
func Ref(name string) *Schema { return &Schema{Ref: "#/components/schemas/" + name} }

// Nullable returns a schema that also allows null. For a reference it uses anyOf, because with a list of types,
// JSON Schema would require null in the referenced enum too.
func (s *Schema) Nullable() *Schema {
	if len(s.AnyOf) > 0 {
		s.AnyOf = append(s.AnyOf, Null())
		return s
	}
	if s.Ref != "" {
		return &Schema{AnyOf: []*Schema{{Ref: s.Ref}, Null()}, Description: s.Description}
	}
	s.Type = append(s.Type, "null")
	return s
}

// Described sets the description and returns s.
func (s *Schema) Described(text string) *Schema {
	s.Description = text
	return s
}

// Object returns the schema of an object. All properties are required, except the ones named in
// optional.
func Object(properties Map[*Schema], optional ...string) *Schema {
	s := &Schema{Type: Types{"object"}, Properties: properties}
	for _, name := range properties.Keys() {
		if !slices.Contains(optional, name) {
			s.Required = append(s.Required, name)
		}
	}
	return s
}
