package reference

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"vitae.internal/gateway/internal/pages/docs/code"
)

// Operation is a page of the reference about one operation.
type Operation struct {
	// ID is the operationId in the document. Path is the path of the page.
	ID, Path string
	// Group is the name of the operation's group.
	Group string
	// Method and Route are the HTTP method and path, for example "GET" and "/v1/jobs/{jobId}".
	Method, Route string
	Summary       string
	About         template.HTML
	// Text is the description as plain text.
	Text string
	// Credential names the credential that a request must carry: "access token", "API key", "client
	// credentials", or "none".
	Credential string
	Scopes     []string
	// Limits describe, in sentences, the limits that requests count against.
	Limits     []string
	Parameters []Field
	Body       *Body
	Answers    []Answer
	Samples    []Sample
}

// Body describes a request body.
type Body struct {
	// Type is the content type.
	Type     string
	About    template.HTML
	Fields   []Field
	Examples []Example
}

// Example is an example of a body.
type Example struct {
	Summary string
	HTML    template.HTML
}

// Answer describes the response with a given status.
type Answer struct {
	// Status is the HTTP status code with its phrase, for example "404 Not Found".
	Status string
	About  template.HTML
	// Types are the content types. It is empty if the response has no body.
	Types    []string
	Fields   []Field
	Examples []Example
	Headers  []Field
	// Codes are the error codes that the response may contain.
	Codes []Failure
}

// Failure is an error code that an operation may return.
type Failure struct {
	Code, Means string
	// Example is the body of a response that contains the code.
	Example template.HTML
}

// Sample is code in one language that sends the request.
type Sample struct {
	// Lang is the info string of the language, for example "python". Label is its name.
	Lang, Label string
	HTML        template.HTML
}

func (d *document) operation(route, method string, op operation) (Operation, error) {
	out := Operation{
		ID: op.OperationID, Path: Prefix + op.OperationID, Group: op.Tags[0], Method: strings.ToUpper(method), Route: route,
		Summary: op.Summary, Text: op.Description, Credential: credential(op.Security), Scopes: op.Scopes, Limits: limits(op),
	}
	about, _, _ := strings.Cut(op.Description, "\n\nScope: ") // the page shows the scope separately
	var err error
	if out.About, err = d.markdown(about); err != nil {
		return Operation{}, err
	}
	for _, p := range op.Parameters {
		f, err := d.field(p.Name, p.Schema, 0)
		if err != nil {
			return Operation{}, err
		}
		if f.About, err = d.markdown(p.Description); err != nil {
			return Operation{}, err
		}
		f.In, f.Required = p.In, p.Required
		out.Parameters = append(out.Parameters, f)
	}
	if op.RequestBody != nil {
		if out.Body, err = d.body(op.RequestBody.Description, op.RequestBody.Content); err != nil {
			return Operation{}, err
		}
	}
	for _, r := range op.Responses {
		answer, err := d.answer(r.key, r.value)
		if err != nil {
			return Operation{}, err
		}
		out.Answers = append(out.Answers, answer)
	}
	for _, s := range op.Samples {
		out.Samples = append(out.Samples, Sample{Lang: s.Lang, Label: s.Label, HTML: code.Block(s.Lang, s.Source)})
	}
	return out, nil
}

// credential names the first kind of credential that an operation accepts.
func credential(security []map[string][]string) string {
	for _, one := range security {
		for scheme, name := range map[string]string{"userToken": "access token", "apiKey": "API key", "client": "client credentials"} {
			if _, there := one[scheme]; there {
				return name
			}
		}
	}
	return "none"
}

func limits(op operation) []string {
	if op.Limits == nil {
		return nil
	}
	var all []string
	if op.Limits.AccountBudget {
		all = append(all, "The account's budget per minute and per day.")
	}
	if t := op.Limits.Tier; t != nil {
		all = append(all, fmt.Sprintf("Of each %s: %s at once, %s sustained.", t.CountedFor, t.Burst, t.Sustained))
	}
	return all
}

func (d *document) body(about string, content ordered[media]) (*Body, error) {
	if len(content) != 1 {
		return nil, fmt.Errorf("reference: a body of %d content types", len(content))
	}
	b := &Body{Type: content[0].key}
	var err error
	if b.About, err = d.markdown(about); err != nil {
		return nil, err
	}
	root, err := d.field("", content[0].value.Schema, 0)
	if err != nil {
		return nil, err
	}
	b.Fields = root.Fields
	b.Examples, err = examples(b.Type, content[0].value.Examples)
	return b, err
}

func (d *document) answer(status string, r response) (Answer, error) {
	if r.Ref == "" {
		return d.makeAnswer(status, r)
	}
	key := status + " " + r.Ref
	if made, there := d.shared[key]; there {
		return made, nil
	}
	r, err := resolve(d.Components.Responses, r.Ref)
	if err != nil {
		return Answer{}, err
	}
	made, err := d.makeAnswer(status, r)
	d.shared[key] = made
	return made, err
}

func (d *document) makeAnswer(status string, r response) (Answer, error) {
	number, err := strconv.Atoi(status)
	if err != nil {
		return Answer{}, fmt.Errorf("reference: status %q: %w", status, err)
	}
	out := Answer{Status: status + " " + http.StatusText(number)}
	if out.Headers, err = d.headers(r.Headers); err != nil {
		return Answer{}, err
	}
	if number >= http.StatusBadRequest {
		out.Codes, err = failures(r)
		return out, err
	}
	if out.About, err = d.markdown(r.Description); err != nil {
		return Answer{}, err
	}
	for i, one := range r.Content {
		out.Types = append(out.Types, one.key)
		if i > 0 {
			continue // further content types contain the same file in a different format
		}
		root, err := d.field("", one.value.Schema, 0)
		if err != nil {
			return Answer{}, err
		}
		out.Fields = root.Fields
		if out.Examples, err = examples(one.key, one.value.Examples); err != nil {
			return Answer{}, err
		}
	}
	return out, nil
}

func (d *document) headers(all ordered[header]) ([]Field, error) {
	var out []Field
	for _, h := range all {
		one := h.value
		var err error
		if one.Ref != "" {
			if one, err = resolve(d.Components.Headers, one.Ref); err != nil {
				return nil, err
			}
		}
		f := Field{Name: h.key, Required: one.Required}
		if f.About, err = d.markdown(one.Description); err != nil {
			return nil, err
		}
		out = append(out, f)
	}
	return out, nil
}

// failures returns the error codes in a response. They are the names of its examples.
func failures(r response) ([]Failure, error) {
	var all []Failure
	for _, content := range r.Content {
		for _, e := range content.value.Examples {
			shown, err := examples(content.key, ordered[example]{e})
			if err != nil {
				return nil, err
			}
			all = append(all, Failure{Code: e.key, Means: e.value.Summary, Example: shown[0].HTML})
		}
	}
	return all, nil
}

// examples renders the examples of a body with the given content type.
func examples(contentType string, all ordered[example]) ([]Example, error) {
	var out []Example
	for _, e := range all {
		var lang, text string
		if contentType == "application/x-www-form-urlencoded" {
			var form ordered[string]
			if err := json.Unmarshal(e.value.Value, &form); err != nil {
				return nil, err
			}
			var lines []string
			for _, p := range form {
				lines = append(lines, p.key+"="+p.value)
			}
			text = strings.Join(lines, "\n&")
		} else {
			var indented bytes.Buffer
			if err := json.Indent(&indented, e.value.Value, "", "  "); err != nil {
				return nil, err
			}
			lang, text = "json", indented.String()
		}
		out = append(out, Example{Summary: e.value.Summary, HTML: code.Block(lang, text)})
	}
	return out, nil
}

// Fields returns the names of the parameters and body fields, for the search.
func (o Operation) Fields() []string {
	var names []string
	for _, f := range o.Parameters {
		names = append(names, f.Name)
	}
	if o.Body != nil {
		names = appendNames(names, o.Body.Fields)
	}
	for _, a := range o.Answers {
		names = appendNames(names, a.Fields)
		names = appendNames(names, a.Headers)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func appendNames(names []string, fields []Field) []string {
	for _, f := range fields {
		names = appendNames(append(names, f.Name), f.Fields)
	}
	return names
}
