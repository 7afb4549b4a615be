package generate

import (
	"bytes"
	"encoding/json"
	"strings"

	"vitae.internal/gateway/internal/api/openapi/generate/snippet"
)

// CodeSample is a request in one language. The name of the extension is the one that tools
// for OpenAPI know.
type CodeSample struct {
	Lang   string `json:"lang"`
	Label  string `json:"label"`
	Source string `json:"source"`
}

// sampleCode adds the code samples to an operation that is whole
// (behaviour: openapi#code-samples).
func sampleCode(method, path string, op *Operation) error {
	r := snippet.Request{Method: method, Path: path, File: fileOf(op)}
	for _, one := range op.Security {
		if _, there := one["userToken"]; there {
			r.Bearer = "ACCESS_TOKEN"
		}
		if _, there := one["apiKey"]; there {
			r.Bearer = "API_KEY"
		}
		if _, there := one["client"]; there {
			r.Basic = true
		}
	}
	for _, p := range op.Parameters {
		if p.In == "query" && (p.Required || p.Example != nil) {
			r.Query = append(r.Query, sampleValue(p.Name, p.Schema, p.Example))
		}
	}
	_, r.Redirects = op.Responses.Get("302")
	if op.RequestBody != nil {
		if err := sampleBody(&r, op.RequestBody.Content); err != nil {
			return err
		}
	}
	samples, err := r.Write()
	for _, s := range samples {
		op.CodeSamples = append(op.CodeSamples, CodeSample(s))
	}
	return err
}

// fileOf is where the samples save the answer, "" for one that they print.
func fileOf(op *Operation) string {
	answer, there := op.Responses.Get("200")
	if !there || len(answer.Content.Keys()) == 0 {
		return ""
	}
	types := answer.Content.Keys()
	switch {
	case types[0] == "application/json":
		return ""
	case len(types) > 1:
		return "resume" // the name and the format are the applicant's
	}
	_, ending, _ := strings.Cut(types[0], "/")
	return "answer." + ending
}

// sampleBody takes the first example of the body.
func sampleBody(r *snippet.Request, content Map[MediaTypeBody]) error {
	contentType := content.Keys()[0]
	body, _ := content.Get(contentType)
	first, _ := body.Examples.Get(body.Examples.Keys()[0])
	raw, err := marshal(first.Value)
	if err != nil {
		return err
	}
	if contentType == "application/json" {
		var indented bytes.Buffer
		err := json.Indent(&indented, raw, "", "  ")
		r.JSON = indented.String()
		return err
	}
	var form Map[string]
	if err := json.Unmarshal(raw, &form); err != nil {
		return err
	}
	for _, name := range form.Keys() {
		if r.Basic && name == "client_id" {
			continue // stands in the header
		}
		value, _ := form.Get(name)
		var text any
		if name == "grant_type" {
			text = value
		}
		r.Form = append(r.Form, sampleValue(name, nil, text))
	}
	return nil
}

// sampleValue is a text where the contract says which, and a variable elsewhere.
func sampleValue(name string, schema *Schema, value any) snippet.Value {
	text, _ := value.(string)
	if text != "" && (schema == nil || schema.Const != nil || name == "scope") {
		return snippet.Value{Name: name, Text: text}
	}
	return snippet.Value{Name: name, Variable: snippet.VariableOf(name)}
}
