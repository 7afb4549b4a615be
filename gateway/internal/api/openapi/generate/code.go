package generate

import (
	"bytes"
	"encoding/json"
	"strings"

	"vitae.internal/gateway/internal/api/openapi/generate/snippet"
	"vitae.internal/gateway/internal/api/openapi/model"
)

// sampleCode adds the code samples to a complete operation (behaviour: openapi#code-samples).
func sampleCode(method, path string, op *model.Operation) error {
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
	var err error
	op.CodeSamples, err = r.Write()
	return err
}

// fileOf returns the name of the file in which the samples save the response, or "" if they print it.
func fileOf(op *model.Operation) string {
	answer, there := op.Responses.Get("200")
	if !there || len(answer.Content.Keys()) == 0 {
		return ""
	}
	types := answer.Content.Keys()
	switch {
	case types[0] == "application/json":
		return ""
	case len(types) > 1:
		return "resume" // the applicant chose the format
	}
	_, ending, _ := strings.Cut(types[0], "/")
	return "answer." + ending
}

// sampleBody sets the body of the request to the first example.
func sampleBody(r *snippet.Request, content model.Map[model.MediaTypeBody]) error {
	contentType := content.Keys()[0]
	body, _ := content.Get(contentType)
	first, _ := body.Examples.Get(body.Examples.Keys()[0])
	raw, err := model.Marshal(first.Value)
	if err != nil {
		return err
	}
	if contentType == "application/json" {
		var indented bytes.Buffer
		err := json.Indent(&indented, raw, "", "  ")
		r.JSON = indented.String()
		return err
	}
	var form model.Map[string]
	if err := json.Unmarshal(raw, &form); err != nil {
		return err
	}
	for _, name := range form.Keys() {
		if r.Basic && name == "client_id" {
			continue // because it is sent in the header
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

// sampleValue returns a literal if the contract allows only one value, and otherwise a variable.
func sampleValue(name string, schema *model.Schema, value any) snippet.Value {
	text, _ := value.(string)
	if text != "" && (schema == nil || schema.Const != nil || name == "scope") {
		return snippet.Value{Name: name, Text: text}
	}
	return snippet.Value{Name: name, Variable: snippet.VariableOf(name)}
}
