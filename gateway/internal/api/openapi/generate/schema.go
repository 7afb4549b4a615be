package generate

// Schema is a JSON Schema (draft 2020-12), as far as this interface uses it.
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
	// Additional is the schema of keys that Properties does not name; nil allows any.
	Additional *Schema   `json:"additionalProperties,omitempty"`
	AnyOf      []*Schema `json:"anyOf,omitempty"`
	Examples   []any     `json:"examples,omitempty"`
}

// Types are the JSON types that a value may have.
type Types []string

// MarshalJSON writes one type as a string and several as a list.
func (t Types) MarshalJSON() ([]byte, error) {
	if len(t) == 1 {
		return marshal(t[0])
	}
	return marshal([]string(t))
}

func typed(name string) *Schema { return &Schema{Type: Types{name}} }

// null is the schema of null alone.
func null() *Schema { return typed("null") }

func schemaRef(name string) *Schema { return &Schema{Ref: "#/components/schemas/" + name} }

// nullable returns a schema that allows null too. For a reference it uses anyOf:
// with a type list, JSON Schema would require null in the referenced enum as well.
func (s *Schema) nullable() *Schema {
	if len(s.AnyOf) > 0 {
		s.AnyOf = append(s.AnyOf, null())
		return s
	}
	if s.Ref != "" {
		both := &Schema{AnyOf: []*Schema{{Ref: s.Ref}, null()}, Description: s.Description}
		return both
	}
	s.Type = append(s.Type, "null")
	return s
}

// described returns s with a description.
func (s *Schema) described(text string) *Schema {
	s.Description = text
	return s
}

// object makes the schema of an object. All properties are required but the optional
// ones.
func object(properties Map[*Schema], optional ...string) *Schema {
	s := &Schema{Type: Types{"object"}, Properties: properties}
	skip := map[string]bool{}
	for _, name := range optional {
		skip[name] = true
	}
	for _, name := range properties.Keys() {
		if !skip[name] {
			s.Required = append(s.Required, name)
		}
	}
	return s
}
