package reference

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"strings"

	"vitae.internal/gateway/internal/pages/docs/guides"
)

// ordered is a JSON object that preserves the order of its keys, because the pages show them in
// that order.
type ordered[T any] []entry[T]

type entry[T any] struct {
	key   string
	value T
}

func (o *ordered[T]) UnmarshalJSON(raw []byte) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return errors.Join(errors.New("reference: not a JSON object"), err)
	}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		one := entry[T]{key: key.(string)} // object keys are always strings
		if err := d.Decode(&one.value); err != nil {
			return err
		}
		*o = append(*o, one)
	}
	return nil
}

// get returns the value for a key, and whether the key exists.
func (o ordered[T]) get(key string) (value T, there bool) {
	for _, one := range o {
		if one.key == key {
			return one.value, true
		}
	}
	return value, false
}

// document holds the parts of an OpenAPI 3.1 document that the reference shows. The types below
// correspond to the objects of the same names in the OpenAPI Specification.
type document struct {
	Info struct {
		Title, Version, Description string
	}
	Tags       []struct{ Name, Description string }
	Paths      ordered[ordered[operation]]
	Components struct {
		Schemas   ordered[schema]
		Responses ordered[response]
		Headers   ordered[header]
	}
	Elsewhere ordered[response] `json:"x-answers-of-no-operation"`

	// shared caches rendered responses by status and reference, because most operations have the
	// same error responses.
	shared map[string]Answer
	// rendered caches rendered strings, because most responses have the same headers.
	rendered map[string]template.HTML
}

// markdown renders a Markdown string, or returns the cached result.
func (d *document) markdown(text string) (template.HTML, error) {
	html, there := d.rendered[text]
	if there {
		return html, nil
	}
	html, err := guides.Markdown(text)
	d.rendered[text] = html
	return html, err
}

type operation struct {
	Tags                              []string
	Summary, Description, OperationID string
	Security                          []map[string][]string
	Parameters                        []parameter
	RequestBody                       *struct {
		Description string
		Content     ordered[media]
	}
	Responses ordered[response]
	Scopes    []string `json:"x-required-scopes"`
	Limits    *struct {
		AccountBudget bool
		Tier          *struct{ Burst, Sustained, CountedFor string }
	} `json:"x-limits"`
	Samples []struct{ Lang, Label, Source string } `json:"x-codeSamples"`
}

type parameter struct {
	Name, In, Description string
	Required              bool
	Schema                schema
}

type media struct {
	Schema   schema
	Examples ordered[example]
}

type example struct {
	Summary string
	Value   json.RawMessage
}

type response struct {
	Ref         string `json:"$ref"`
	Description string
	Headers     ordered[header]
	Content     ordered[media]
}

type header struct {
	Ref         string `json:"$ref"`
	Description string
	Required    bool
}

type schema struct {
	Ref                  string `json:"$ref"`
	Type                 types
	Format, Description  string
	Properties           ordered[schema]
	Required             []string
	Items                *schema
	AdditionalProperties *schema
	AnyOf                []schema
	Enum                 []string
	Const, Default       json.RawMessage
	Minimum, Maximum     *json.Number
	MinLength, MaxLength int
	MaxItems             int
	Pattern              string
}

// types is one type or a list of types.
type types []string

func (t *types) UnmarshalJSON(raw []byte) error {
	if bytes.HasPrefix(raw, []byte("[")) {
		return json.Unmarshal(raw, (*[]string)(t))
	}
	*t = types{""}
	return json.Unmarshal(raw, &(*t)[0])
}

// resolve returns the component that a reference points to.
func resolve[T any](among ordered[T], ref string) (T, error) {
	name := ref[strings.LastIndexByte(ref, '/')+1:]
	found, there := among.get(name)
	if !there {
		return found, fmt.Errorf("reference: %s leads nowhere", ref)
	}
	return found, nil
}
