package reference

import (
	"encoding/json"
	"fmt"
	"html/template"
	"slices"
	"strconv"
	"strings"
)

// Field is a named value: a parameter, or a property of a body.
type Field struct {
	Name string
	// In is the location of a parameter: "path", "query" or "header". It is "" for a property.
	In string
	// Type describes the type in words, for example "array of strings" or "integer or null".
	Type     string
	Required bool
	About    template.HTML
	// Values are the allowed values. If it is empty, any value is allowed.
	Values []string
	// Rules are further constraints in words.
	Rules []string
	// Fields are the value's own properties, or the properties of its items.
	Fields []Field
}

// deepest is the maximum nesting depth of properties. No schema is that deep, so exceeding it means
// that a schema contains itself.
const deepest = 12

// field describes a named schema.
func (d *document) field(name string, s schema, depth int) (Field, error) {
	if depth > deepest {
		return Field{}, fmt.Errorf("reference: %s is too deep, or holds itself", name)
	}
	f := Field{Name: name}
	about := s.Description
	s, nullable, err := d.concrete(s)
	if err != nil {
		return Field{}, err
	}
	if about == "" {
		about = s.Description
	}
	if f.About, err = d.markdown(about); err != nil {
		return Field{}, err
	}
	words, inner, err := d.typeOf(s)
	if err != nil {
		return Field{}, err
	}
	f.Type = words
	if nullable {
		f.Type += " or null"
	}
	f.Values, f.Rules = inner.Enum, rules(s)
	if f.Fields, err = d.fields(inner, depth+1); err != nil {
		return Field{}, err
	}
	return f, nil
}

// fields returns the properties of a schema.
func (d *document) fields(s schema, depth int) ([]Field, error) {
	var all []Field
	for _, p := range s.Properties {
		f, err := d.field(p.key, p.value, depth)
		if err != nil {
			return nil, err
		}
		f.Required = slices.Contains(s.Required, p.key)
		all = append(all, f)
	}
	return all, nil
}

// concrete resolves references. If a schema allows null or one other schema, it returns the other
// schema and reports that null is allowed.
func (d *document) concrete(s schema) (plain schema, nullable bool, err error) {
	for s.Ref != "" {
		if s, err = resolve(d.Components.Schemas, s.Ref); err != nil {
			return schema{}, false, err
		}
	}
	choices := slices.DeleteFunc(slices.Clone(s.AnyOf), func(one schema) bool { return slices.Equal(one.Type, types{"null"}) })
	if len(choices) == 1 && len(choices) < len(s.AnyOf) {
		s, _, err = d.concrete(choices[0])
		return s, true, err
	}
	return s, false, nil
}

// typeOf returns the type of a schema in words, and the schema whose properties and values are
// shown: the schema itself, or the schema of its items.
func (d *document) typeOf(s schema) (words string, inner schema, err error) {
	switch {
	case len(s.AnyOf) > 0:
		var all []string
		for _, one := range s.AnyOf {
			word, _, err := d.typeOf(one)
			if err != nil {
				return "", s, err
			}
			all = append(all, word)
		}
		return strings.Join(all, ", or "), s, nil
	case s.Items != nil:
		items, _, err := d.concrete(*s.Items)
		if err != nil {
			return "", s, err
		}
		word, inner, err := d.typeOf(items)
		return "array of " + word + "s", inner, err
	case s.AdditionalProperties != nil:
		return "object with fields of any name", s, nil
	}
	words = strings.Join(s.Type, " or ")
	switch s.Format {
	case "date-time":
		words = strings.Replace(words, "string", "time stamp", 1)
	case "binary":
		words = "file"
	}
	return words, s, nil
}

// rules describes the constraints of a schema in words.
func rules(s schema) []string {
	var all []string
	add := func(format string, v any) { all = append(all, fmt.Sprintf(format, v)) }
	if s.Const != nil {
		add("always %s", unquoted(s.Const))
	}
	if s.Default != nil {
		add("%s when left out", unquoted(s.Default))
	}
	if s.Minimum != nil {
		add("at least %s", s.Minimum)
	}
	if s.Maximum != nil {
		add("at most %s", s.Maximum)
	}
	switch {
	case s.MinLength > 0 && s.MaxLength > 0:
		all = append(all, strconv.Itoa(s.MinLength)+" to "+strconv.Itoa(s.MaxLength)+" characters")
	case s.MinLength > 0:
		add("at least %d characters", s.MinLength)
	case s.MaxLength > 0:
		add("at most %d characters", s.MaxLength)
	}
	if s.MaxItems > 0 {
		add("at most %d items", s.MaxItems)
	}
	if s.Pattern != "" {
		add("matches %s", s.Pattern)
	}
	return all
}

// unquoted formats a JSON value. Strings are written without quotes.
func unquoted(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return text
	}
	return string(raw)
}
