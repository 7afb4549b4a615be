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

// ordered is a JSON object whose keys keep the order of the text, in which the document
// wants them read.
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

// get returns the value of a key, and whether it is there.
func (o ordered[T]) get(key string) (value T, there bool) {
	for _, one := range o {
		if one.key == key {
			return one.value, true
		}
	}
	return value, false
}

// document is an OpenAPI 3.1 document, as far as the reference shows it. The types below
// are the objects of the same names in the OpenAPI Specification.
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

	// shared are the answers that have been made of the components, by status and reference:
	// most operations have the same failures.
	shared map[string]Answer
	// rendered are the texts that have been rendered: most answers have the same headers.
	rendered map[string]template.HTML
}

// markdown renders a text once.
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

// types are one type or several.
type types []string

func (t *types) UnmarshalJSON(raw []byte) error {
	if bytes.HasPrefix(raw, []byte("[")) {
		return json.Unmarshal(raw, (*[]string)(t))
	}
	*t = types{""}
	return json.Unmarshal(raw, &(*t)[0])
}

// resolve follows a reference into the components.
func resolve[T any](among ordered[T], ref string) (T, error) {
	name := ref[strings.LastIndexByte(ref, '/')+1:]
	found, there := among.get(name)
	if !there {
		return found, fmt.Errorf("reference: %s leads nowhere", ref)
	}
	return found, nil
}
