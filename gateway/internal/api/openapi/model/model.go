// Package model defines the types of an OpenAPI 3.1 document that the REST API needs. They have the same names
// as in the OpenAPI Specification (3.1.1 §4.8).
package model

import (
	"bytes"
	"encoding/json"
)

// Document is an OpenAPI document.
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

// Bytes returns the document in its committed form: indented, with a final newline.
func (d *Document) Bytes() ([]byte, error) {
	raw, err := Marshal(d)
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

// PathItem maps lower-case methods to the operations of a path.
type PathItem = Map[*Operation]

type Operation struct {
	Tags        []string     `json:"tags"`
	Summary     string       `json:"summary"`
	Description string       `json:"description"`
	OperationID string       `json:"operationId"`
	Security    []Security   `json:"security"`
	Parameters  []Parameter  `json:"parameters,omitempty"`
	RequestBody *RequestBody `json:"requestBody,omitempty"`
	// Responses holds the responses by status.
	Responses Map[Response] `json:"responses"`
	// Scopes lists the scopes that an API key must have. The field is an extension, because linters allow
	// scopes only for OAuth.
	Scopes      []string     `json:"x-required-scopes,omitempty"`
	Limits      *Limits      `json:"x-limits,omitempty"`
	CodeSamples []CodeSample `json:"x-codeSamples,omitempty"`
}

// CodeSample is a request in one language. OpenAPI tools support this extension.
type CodeSample struct {
	// Lang is a code such as "python". Label is the display name.
	Lang   string `json:"lang"`
	Label  string `json:"label"`
	Source string `json:"source"`
}

// Security maps security schemes to their required scopes. An empty Security means that no credential is
// required.
type Security map[string][]string

type Parameter struct {
	Name        string  `json:"name"`
	In          string  `json:"in"`
	Description string  `json:"description"`
	Required    bool    `json:"required,omitempty"`
	Schema      *Schema `json:"schema"`
	Example     any     `json:"example,omitempty"`
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

// Examples maps names to examples.
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
	// AccountBudget is true if requests are charged to the account's plan.
	AccountBudget bool  `json:"accountBudget"`
	Tier          *Tier `json:"tier,omitempty"`
}

type Tier struct {
	Burst      string `json:"burst"`
	Sustained  string `json:"sustained"`
	CountedFor string `json:"countedFor"`
}
