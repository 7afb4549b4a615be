package app_test

import (
	"encoding/json"
	"mime"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"vitae.internal/gateway/internal/api/openapi"
)

// document is the OpenAPI document to which responses are compared.
type document struct {
	schemas    *jsonschema.Compiler
	root       map[string]any
	operations []operation
	// codesSeen holds the error codes of responses by operation.
	codesSeen map[string]map[string]bool
	// messagesSeen holds the error messages by operation and code, without their particulars.
	messagesSeen map[string]map[string]bool
}

type operation struct {
	id, method, path string
	// scheme and scope describe the required credential. They are empty if none is required.
	scheme, scope string
	object        map[string]any
}

func readDocument(t *testing.T) *document {
	t.Helper()
	parsed, err := jsonschema.UnmarshalJSON(strings.NewReader(openapi.Committed))
	if err != nil {
		t.Fatal(err)
	}
	d := &document{schemas: jsonschema.NewCompiler(), root: parsed.(map[string]any), codesSeen: map[string]map[string]bool{}, messagesSeen: map[string]map[string]bool{}}
	closeObjects(at(d.root, "components", "schemas"))
	d.schemas.DefaultDraft(jsonschema.Draft2020)
	d.schemas.AssertFormat()
	if err := d.schemas.AddResource("openapi.json", parsed); err != nil {
		t.Fatal(err)
	}
	for path, item := range at(d.root, "paths").(map[string]any) {
		for method, object := range item.(map[string]any) {
			o := operation{method: strings.ToUpper(method), path: path, object: object.(map[string]any)}
			o.id = o.object["operationId"].(string)
			for _, one := range o.object["security"].([]any) {
				for scheme := range one.(map[string]any) {
					o.scheme = scheme
				}
			}
			if scopes, scoped := o.object["x-required-scopes"].([]any); scoped {
				o.scope = scopes[0].(string)
			}
			d.codesSeen[o.id] = map[string]bool{}
			d.operations = append(d.operations, o)
		}
	}
	slices.SortFunc(d.operations, func(a, b operation) int { return strings.Compare(a.id, b.id) })
	return d
}

// closeObjects makes schemas reject unknown fields. Clients must accept new fields, but the document must
// describe all of them.
func closeObjects(value any) {
	switch v := value.(type) {
	case map[string]any:
		for name, one := range v {
			if name != "OpenApiDocument" {
				closeObjects(one)
			}
		}
		if v["type"] == "object" && v["properties"] != nil {
			v["additionalProperties"] = false
		}
	case []any:
		for _, one := range v {
			closeObjects(one)
		}
	}
}

// at returns the value at a path of keys, or nil if there is none.
func at(value any, keys ...string) any {
	for _, key := range keys {
		object, _ := value.(map[string]any)
		value = object[key]
	}
	return value
}

// resolve returns the object to which a reference points, and its JSON pointer.
func (d *document) resolve(pointer string, value any) (string, map[string]any) {
	object, _ := value.(map[string]any)
	ref, isRef := object["$ref"].(string)
	if !isRef {
		return pointer, object
	}
	pointer = strings.TrimPrefix(ref, "#")
	return pointer, at(d.root, strings.Split(pointer, "/")[1:]...).(map[string]any)
}

func escaped(key string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(key) }

// check compares the status, headers, content type and body of a response with the document.
func (d *document) check(t *testing.T, o operation, a answer) {
	t.Helper()
	status := strconv.Itoa(a.StatusCode)
	pointer := "/paths/" + escaped(o.path) + "/" + strings.ToLower(o.method) + "/responses/" + status
	pointer, response := d.resolve(pointer, at(o.object, "responses", status))
	if response == nil {
		t.Errorf("%s: %s %s is not in the document", o.id, status, a.body)
		return
	}
	d.checkHeaders(t, o, a, pointer, response)
	content, _ := response["content"].(map[string]any)
	if len(content) == 0 {
		if a.body != "" || a.Header.Get("Content-Type") != "" {
			t.Errorf("%s: %s has a body that is not in the document: %s", o.id, status, a.body)
		}
		return
	}
	mediaType, _, err := mime.ParseMediaType(a.Header.Get("Content-Type"))
	if err != nil || content[mediaType] == nil {
		t.Errorf("%s: %s has the content type %q, which is not in the document", o.id, status, a.Header.Get("Content-Type"))
		return
	}
	if mediaType != "application/json" {
		return
	}
	body, err := jsonschema.UnmarshalJSON(strings.NewReader(a.body))
	if err != nil {
		t.Errorf("%s: %s: %v", o.id, status, err)
		return
	}
	d.validate(t, o.id+": "+status+" "+a.body, pointer+"/content/application~1json/schema", body)
	code, _ := at(body, "error", "code").(string)
	if flat, isFlat := at(body, "error").(string); isFlat {
		code = flat
	}
	d.codesSeen[o.id][code] = true
	if code != "" {
		d.heard(o, code, generalized(body))
	}
}

func (d *document) heard(o operation, code, message string) {
	key := o.id + " " + code
	if d.messagesSeen[key] == nil {
		d.messagesSeen[key] = map[string]bool{}
	}
	d.messagesSeen[key][message] = true
}

// particulars matches the parts of a message that depend on a limit or on the operation.
var particulars = regexp.MustCompile(`\d+( in (an? \w+|\d+ \w+))?|the scope [a-z:]+`)

// generalized returns an error message with its particulars replaced, so that similar messages are
// equal.
func generalized(body any) string {
	message, _ := at(body, "error", "message").(string)
	if flat, isFlat := at(body, "error_description").(string); isFlat {
		message = flat
	}
	return particulars.ReplaceAllString(message, "N")
}

// examples calls see for every example of an operation's error responses.
func (d *document) examples(o operation, see func(code string, body any)) {
	responses, _ := o.object["responses"].(map[string]any)
	for status, one := range responses {
		_, response := d.resolve("", one)
		shown, _ := at(response, "content", "application/json", "examples").(map[string]any)
		for _, example := range shown {
			code, _ := at(example, "value", "error", "code").(string)
			if flat, isFlat := at(example, "value", "error").(string); isFlat {
				code = flat
			}
			if code != "" && status >= "400" {
				see(code, at(example, "value"))
			}
		}
	}
}

func (d *document) checkHeaders(t *testing.T, o operation, a answer, pointer string, response map[string]any) {
	t.Helper()
	described, _ := response["headers"].(map[string]any)
	// Strict-Transport-Security depends on the listener's URL, not on the response.
	known := map[string]bool{"Content-Type": true, "Content-Length": true, "Date": true, "Connection": true, "Strict-Transport-Security": true}
	for name, value := range described {
		known[http.CanonicalHeaderKey(name)] = true
		where, header := d.resolve(pointer+"/headers/"+escaped(name), value)
		got := a.Header.Values(name)
		if len(got) == 0 {
			if header["required"] == true {
				t.Errorf("%s: %d lacks the header %s", o.id, a.StatusCode, name)
			}
			continue
		}
		var v any = got[0]
		if at(header, "schema", "type") == "integer" {
			v = json.Number(got[0])
		}
		d.validate(t, o.id+": "+name, where+"/schema", v)
		if len(got) > 1 {
			t.Errorf("%s: %d has the header %s twice", o.id, a.StatusCode, name)
		}
	}
	for name := range a.Header {
		if !known[name] {
			t.Errorf("%s: %d has the header %s, which is not in the document", o.id, a.StatusCode, name)
		}
	}
}

func (d *document) validate(t *testing.T, what, pointer string, value any) {
	t.Helper()
	schema, err := d.schemas.Compile("openapi.json#" + pointer)
	if err != nil {
		t.Fatalf("%s: %v", pointer, err)
	}
	if err := schema.Validate(value); err != nil {
		t.Errorf("%s: %v", what, err)
	}
}

// codes returns the error codes that the document declares for the operation.
func (d *document) codes(o operation) []string {
	var all []string
	responses, _ := o.object["responses"].(map[string]any)
	for _, one := range responses {
		_, response := d.resolve("", one)
		schema := at(response, "content", "application/json", "schema")
		enum, enveloped := at(schema, "properties", "error", "properties", "code", "enum").([]any)
		if !enveloped {
			enum, _ = at(schema, "properties", "error", "enum").([]any)
		}
		for _, code := range enum {
			all = append(all, code.(string))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
