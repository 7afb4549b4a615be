package generate

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"

	"vitae.internal/gateway/internal/api/openapi/generate/snippet"
)

// examples are JSON documents. NAME.json is the data of a response, where NAME is a resource
// or, for a special case, an operation. OPERATION.request.json is a body, and
// OPERATION.request.WORDS.json another one.
//
//go:embed examples/*.json
var examples embed.FS

// sample is an example, and whether an operation has it.
type sample struct {
	value Map[any]
	used  bool
}

// samples are the examples by file name without extension.
type samples map[string]*sample

func readSamples() (samples, error) {
	s := samples{}
	files, err := fs.Glob(examples, "examples/*.json")
	for _, f := range files {
		raw, readErr := examples.ReadFile(f)
		one := &sample{}
		if parseErr := parse(raw, &one.value); parseErr != nil || readErr != nil {
			return nil, fmt.Errorf("generate: %s: %w", f, errors.Join(readErr, parseErr))
		}
		s[strings.TrimSuffix(strings.TrimPrefix(f, "examples/"), ".json")] = one
	}
	return s, err
}

// parse reads an object, and keeps the order of all keys.
func parse(raw []byte, into *Map[any]) error {
	var flat Map[json.RawMessage]
	if err := json.Unmarshal(raw, &flat); err != nil {
		return err
	}
	for _, key := range flat.Keys() {
		value, _ := flat.Get(key)
		into.Set(key, value) // raw text keeps the order of inner keys
	}
	return nil
}

// states are the fields in which a response differs from the example of its resource, by
// operation and status. For example, a new job has no applicants.
var states = map[string]map[string]any{
	"createCompany 201": {
		"tagline": nil, "founded": nil, "published": false, "verified": false, "updatedAt": "2026-02-03T08:15:30.120Z",
	},
	"createJob 201":  {"applicationCount": 0, "postedAt": jobMade, "updatedAt": jobMade},
	"publishJob 200": {"applicationCount": 0},
	"closeJob 200":   {"status": "closed", "updatedAt": "2026-07-20T09:15:44.271Z"},
	"archiveJob 200": {"status": "archived", "updatedAt": "2026-08-31T12:00:08.630Z"},
}

// jobMade is when the job of the examples was created.
const jobMade = "2026-06-21T13:44:51.318Z"

// data returns the example for the data of a response.
func (s samples) data(operation string, status int, resource string) any {
	name := resource
	if _, special := s[operation]; special {
		name = operation
	}
	one, there := s[name]
	if !there {
		return nil
	}
	one.used = true
	var shown Map[any]
	for _, key := range one.value.Keys() {
		value, _ := one.value.Get(key)
		if other, differs := states[operation+" "+strconv.Itoa(status)][key]; differs {
			value = other
		}
		shown.Set(key, value)
	}
	return shown
}

// requests returns the examples of an operation's body.
func (s samples) requests(operation string) Examples {
	var all Examples
	for _, name := range slices.Sorted(maps.Keys(s)) {
		words, ours := strings.CutPrefix(name, operation+".request")
		if !ours {
			continue
		}
		s[name].used = true
		all.Set(operation+strings.ReplaceAll(words, ".", "-"), Example{Value: s[name].value})
	}
	return all
}

// pathExamples are the examples of path parameters.
var pathExamples = map[string]any{
	"companyId": "com_06gvr3vbk1vcfe2ulh554l68bo", "jobId": "job_06gvr3vbk5odhf20h0g1bupvv4", "applicationId": "apl_06gvr3vbk5ok1474dn6gvmpvok",
}

// allUsed returns an error if no operation has an example.
func (s samples) allUsed() error {
	for _, name := range slices.Sorted(maps.Keys(s)) {
		if !s[name].used {
			return fmt.Errorf("generate: the example %s belongs to no operation", name)
		}
	}
	return nil
}

func sortedKeys[V any](m map[int]V) []int { return slices.Sorted(maps.Keys(m)) }

// CodeSample is a request in one language.
type CodeSample struct {
	Lang   string `json:"lang"`
	Label  string `json:"label"`
	Source string `json:"source"`
}

// sampleCode adds the code samples to a complete operation
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

// fileOf returns the file to which samples write the response, "" if they print it.
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

// sampleBody adds the first example of the body.
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
			continue // it is in the header
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

// sampleValue returns a fixed text, or a variable where the value is the reader's.
func sampleValue(name string, schema *Schema, value any) snippet.Value {
	text, _ := value.(string)
	if text != "" && (schema == nil || schema.Const != nil || name == "scope") {
		return snippet.Value{Name: name, Text: text}
	}
	return snippet.Value{Name: name, Variable: snippet.VariableOf(name)}
}
