package contract

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Schema is a JSON Schema in the document, or an object around one. Get follows
// references.
type Schema struct {
	root, node map[string]any
}

// Operation is one operation of the document.
type Operation struct {
	// Method is in upper case; Path is the template.
	Method, Path string
	// Parameters are those of path, query and headers.
	Parameters []Parameter
	// MediaType of the request body, Body its schema, and Example an example that the
	// document has. They are empty for an operation without a body.
	MediaType string
	Body      Schema
	Example   any
}

// Parameter is a parameter of an operation.
type Parameter struct {
	// Name of the parameter. In is "path", "query" or "header".
	Name, In string
	Required bool
	Schema   Schema
	// Example is an example that the document has, nil if it has none.
	Example any
}

// Operations are the operations of a document, in the order of their paths.
func Operations(document []byte) ([]Operation, error) {
	var root map[string]any
	if err := json.Unmarshal(document, &root); err != nil {
		return nil, fmt.Errorf("the OpenAPI document: %w", err)
	}
	var out []Operation
	all := Schema{root, root}.Get("paths")
	for _, path := range all.Keys() {
		item := all.Get(path)
		for _, method := range []string{"get", "post", "patch", "put", "delete"} {
			if op := item.Get(method); op.node != nil {
				out = append(out, operation(strings.ToUpper(method), path, item, op))
			}
		}
	}
	return out, nil
}

func operation(method, path string, item, op Schema) Operation {
	o := Operation{Method: method, Path: path}
	for _, p := range append(item.List("parameters"), op.List("parameters")...) {
		o.Parameters = append(o.Parameters, Parameter{
			Name: p.Text("name"), In: p.Text("in"), Required: p.node["required"] == true, Schema: p.Get("schema"), Example: p.node["example"],
		})
	}
	content := op.Get("requestBody").Get("content")
	for _, mediaType := range content.Keys() {
		media := content.Get(mediaType)
		o.MediaType, o.Body, o.Example = mediaType, media.Get("schema"), media.example()
	}
	return o
}

// example is the example of a media type: its own, the first of its examples, or that of
// its schema.
func (s Schema) example() any {
	if e, ok := s.node["example"]; ok {
		return e
	}
	examples := s.Get("examples")
	for _, name := range examples.Keys() {
		return examples.Get(name).node["value"]
	}
	schema := s.Get("schema")
	if e, ok := schema.node["example"]; ok {
		return e
	}
	if e, ok := schema.node["examples"].([]any); ok && len(e) > 0 {
		return e[0]
	}
	return nil
}

// Keys are the keys of the object, sorted.
func (s Schema) Keys() []string {
	var out []string
	for k := range s.node {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// Get is the object at a key. It is empty if there is none.
func (s Schema) Get(key string) Schema {
	node, _ := s.node[key].(map[string]any)
	return Schema{s.root, node}.follow()
}

// List is the list of objects at a key.
func (s Schema) List(key string) []Schema {
	items, _ := s.node[key].([]any)
	var out []Schema
	for _, item := range items {
		node, _ := item.(map[string]any)
		out = append(out, Schema{s.root, node}.follow())
	}
	return out
}

// Text is the text at a key.
func (s Schema) Text(key string) string {
	text, _ := s.node[key].(string)
	return text
}

// Number is the number at a key.
func (s Schema) Number(key string) (float64, bool) {
	n, ok := s.node[key].(float64)
	return n, ok
}

func (s Schema) follow() Schema {
	for {
		ref, ok := s.node["$ref"].(string)
		if !ok {
			return s
		}
		node := s.root
		for _, key := range strings.Split(strings.TrimPrefix(ref, "#/"), "/") {
			key = strings.NewReplacer("~1", "/", "~0", "~").Replace(key)
			node, _ = node[key].(map[string]any)
		}
		s.node = node
	}
}
