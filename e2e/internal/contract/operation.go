package contract

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Schema is a JSON Schema in the document, or an object that contains one. Get follows references.
type Schema struct {
	root, node map[string]any
}

// Operation is an operation of the document.
type Operation struct {
	// Method is in upper case. Path is the path template.
	Method, Path string
	// Parameters holds the path, query and header parameters.
	Parameters []Parameter
	// MediaType, Body and Example are the media type, schema and example of the request body. They are
	// empty if the operation has no body.
	MediaType string
	Body      Schema
	Example   any
}

// Parameter is a parameter of an operation.
type Parameter struct {
	// Name is the parameter's name. In is "path", "query" or "header".
	Name, In string
	Required bool
	Schema   Schema
	// Example is an example from the document, or nil if there is none.
	Example any
}

// Operations returns the operations of a document, sorted by path.
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

// example returns the example of a media type: its example field, the first of its examples, or the
// example of its schema.
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

// Keys returns the sorted keys of the object.
func (s Schema) Keys() []string {
	var out []string
	for k := range s.node {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// Get returns the object at a key, or an empty schema if there is none.
func (s Schema) Get(key string) Schema {
	node, _ := s.node[key].(map[string]any)
	return Schema{s.root, node}.follow()
}

// List returns the list of objects at a key.
func (s Schema) List(key string) []Schema {
	items, _ := s.node[key].([]any)
	var out []Schema
	for _, item := range items {
		node, _ := item.(map[string]any)
		out = append(out, Schema{s.root, node}.follow())
	}
	return out
}

// Text returns the string at a key, or "".
func (s Schema) Text(key string) string {
	text, _ := s.node[key].(string)
	return text
}

// Number returns the number at a key and whether there is one.
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
