package generate

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
)

// Document is an OpenAPI 3.1 document (OpenAPI Specification 3.1.1 §4.8). The types below are
// the objects with the same names there, without the fields that are not used here.
type Document struct {
	OpenAPI      string        `json:"openapi"`
	Info         Info          `json:"info"`
	ExternalDocs *ExternalDocs `json:"externalDocs,omitempty"`
	Servers      []Server      `json:"servers"`
	Tags         []Tag         `json:"tags"`
	Paths        Map[PathItem] `json:"paths"`
	Components   Components    `json:"components"`
	// Elsewhere describes responses to requests that match no operation.
	Elsewhere Map[Response] `json:"x-answers-of-no-operation,omitzero"`
}

// Bytes returns the document as it is committed: indented, and ending with a line feed.
func (d *Document) Bytes() ([]byte, error) {
	raw, err := marshal(d)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := json.Indent(&b, raw, "", "  "); err != nil {
		return nil, err
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}

type Info struct {
	Title       string  `json:"title"`
	Version     string  `json:"version"`
	Summary     string  `json:"summary,omitempty"`
	Description string  `json:"description"`
	Contact     Contact `json:"contact"`
	License     License `json:"license"`
}

type Contact struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

type License struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

type ExternalDocs struct {
	Description string `json:"description,omitempty"`
	URL         string `json:"url"`
}

type Server struct {
	URL         string `json:"url"`
	Description string `json:"description,omitempty"`
}

type Tag struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

// PathItem has the operations of a path by method in lower case.
type PathItem = Map[*Operation]

type Operation struct {
	Tags        []string     `json:"tags"`
	Summary     string       `json:"summary"`
	Description string       `json:"description"`
	OperationID string       `json:"operationId"`
	Security    []Security   `json:"security"`
	Parameters  []Parameter  `json:"parameters,omitempty"`
	RequestBody *RequestBody `json:"requestBody,omitempty"`
	// Responses are the responses by status.
	Responses Map[Response] `json:"responses"`
	// Scopes are the scopes that an API key must have. They are an extension, because linters
	// allow scopes only for OAuth.
	Scopes []string `json:"x-required-scopes,omitempty"`
	Limits *Limits  `json:"x-limits,omitempty"`
	// CodeSamples send the request in several languages. Tools know the extension.
	CodeSamples []CodeSample `json:"x-codeSamples,omitempty"`
}

// Security names a scheme with the required scopes. An empty one means that no credential is
// required.
type Security map[string][]string

type Parameter struct {
	Name        string   `json:"name"`
	In          string   `json:"in"`
	Description string   `json:"description"`
	Required    bool     `json:"required,omitempty"`
	Schema      *Schema  `json:"schema"`
	Example     any      `json:"example,omitempty"`
	Examples    Examples `json:"examples,omitzero"`
}

type RequestBody struct {
	Description string             `json:"description,omitempty"`
	Required    bool               `json:"required"`
	Content     Map[MediaTypeBody] `json:"content"`
}

type MediaTypeBody struct {
	Schema   *Schema  `json:"schema"`
	Examples Examples `json:"examples,omitzero"`
}

type Examples = Map[Example]

type Example struct {
	Summary string `json:"summary,omitempty"`
	Value   any    `json:"value"`
}

type Response struct {
	Ref         string             `json:"$ref,omitempty"`
	Description string             `json:"description,omitempty"`
	Headers     Map[Header]        `json:"headers,omitzero"`
	Content     Map[MediaTypeBody] `json:"content,omitzero"`
}

type Header struct {
	Ref         string  `json:"$ref,omitempty"`
	Description string  `json:"description,omitempty"`
	Required    bool    `json:"required,omitempty"`
	Schema      *Schema `json:"schema,omitempty"`
	Example     any     `json:"example,omitempty"`
}

type Components struct {
	Schemas         Map[*Schema]        `json:"schemas"`
	Responses       Map[Response]       `json:"responses"`
	Headers         Map[Header]         `json:"headers"`
	SecuritySchemes Map[SecurityScheme] `json:"securitySchemes"`
}

type SecurityScheme struct {
	Type         string `json:"type"`
	Description  string `json:"description"`
	Scheme       string `json:"scheme,omitempty"`
	BearerFormat string `json:"bearerFormat,omitempty"`
	Flows        *Flows `json:"flows,omitempty"`
}

type Flows struct {
	AuthorizationCode Flow `json:"authorizationCode"`
}

type Flow struct {
	AuthorizationURL string      `json:"authorizationUrl"`
	TokenURL         string      `json:"tokenUrl"`
	RefreshURL       string      `json:"refreshUrl"`
	Scopes           Map[string] `json:"scopes"`
}

// Limits describes the limits of an operation. OpenAPI has no object for them.
type Limits struct {
	// AccountBudget is true if a request counts against the account's plan.
	AccountBudget bool  `json:"accountBudget"`
	Tier          *Tier `json:"tier,omitempty"`
}

type Tier struct {
	Burst      string `json:"burst"`
	Sustained  string `json:"sustained"`
	CountedFor string `json:"countedFor"`
}

// Map is a JSON object that keeps the order of its keys, for the readers of the document. The
// zero Map is empty.
type Map[T any] struct {
	keys   []string
	values map[string]T
}

// ordered returns a Map of alternating keys and values.
func ordered[T any](pairs ...any) (m Map[T]) {
	for i := 0; i < len(pairs); i += 2 {
		value, _ := pairs[i+1].(T) // nil is the zero value
		m.Set(pairs[i].(string), value)
	}
	return m
}

// record returns an object of an example.
func record(pairs ...any) Map[any] { return ordered[any](pairs...) }

// properties returns the properties of a schema.
func properties(pairs ...any) Map[*Schema] { return ordered[*Schema](pairs...) }

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

func (m *Map[T]) Get(key string) (value T, there bool) {
	value, there = m.values[key]
	return value, there
}

func (m *Map[T]) Keys() []string { return slices.Clone(m.keys) }

func (m *Map[T]) Sort() { slices.Sort(m.keys) }

// SortFunc sorts the keys by their values. It is stable.
func (m *Map[T]) SortFunc(order func(a, b T) int) {
	slices.SortStableFunc(m.keys, func(a, b string) int { return order(m.values[a], m.values[b]) })
}

// IsZero is called for omitzero.
func (m Map[T]) IsZero() bool { return len(m.keys) == 0 }

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

// UnmarshalJSON keeps the order of the keys in the text.
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
		m.Set(key.(string), value)
	}
	return nil
}

// marshal encodes v without escaping HTML characters.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
