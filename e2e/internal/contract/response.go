package contract

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// framing lists HTTP headers that the document does not describe.
var framing = []string{"Date", "Content-Length", "Content-Type", "Transfer-Encoding", "Connection"}

// responses compares responses with the response objects of a document. It checks what
// libopenapi-validator does not: header values, and that the body is empty if the document describes no
// content.
type responses struct {
	root    map[string]any
	schemas *jsonschema.Compiler

	mu       sync.Mutex // schemas and compiled are not safe for concurrent use
	compiled map[string]*jsonschema.Schema
}

func newResponses(document []byte) (*responses, error) {
	root, err := jsonschema.UnmarshalJSON(bytes.NewReader(document))
	if err != nil {
		return nil, fmt.Errorf("the OpenAPI document: %w", err)
	}
	object, ok := root.(map[string]any)
	if !ok {
		return nil, errors.New("the OpenAPI document is not an object")
	}
	a := &responses{root: object, schemas: jsonschema.NewCompiler(), compiled: map[string]*jsonschema.Schema{}}
	a.schemas.DefaultDraft(jsonschema.Draft2020)
	a.schemas.AssertFormat()
	if err := a.schemas.AddResource("document", root); err != nil {
		return nil, fmt.Errorf("the OpenAPI document: %w", err)
	}
	return a, nil
}

// pointer returns the JSON pointer (RFC 6901) for the keys.
func pointer(keys ...string) string {
	var b strings.Builder
	for _, key := range keys {
		b.WriteString("/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(key))
	}
	return b.String()
}

// get returns the object at a pointer, or nil if there is none, after following references. It also
// returns the pointer to that object.
func (a *responses) get(at string) (string, map[string]any) {
	var node any = a.root
	for key := range strings.SplitSeq(strings.TrimPrefix(at, "/"), "/") {
		object, _ := node.(map[string]any)
		node = object[strings.NewReplacer("~1", "/", "~0", "~").Replace(key)]
	}
	object, _ := node.(map[string]any)
	if ref, is := object["$ref"].(string); is {
		return a.get(strings.TrimPrefix(ref, "#"))
	}
	return at, object
}

// check compares the status and headers of a response with the response object at a pointer. It does
// not check the body against its schema.
func (a *responses) check(at string, x Exchange) error {
	at, response := a.get(at)
	if response == nil {
		return fmt.Errorf("the status %d is not in the document", x.Status)
	}
	if err := a.checkHeaders(at, response, x.Header); err != nil {
		return err
	}
	content, _ := response["content"].(map[string]any)
	kind := x.Header.Get("Content-Type")
	if len(content) == 0 {
		if len(x.Body) > 0 || kind != "" {
			return fmt.Errorf("a body of type %q, want none", kind)
		}
		return nil
	}
	mediaType, _, err := mime.ParseMediaType(kind)
	if err != nil || content[mediaType] == nil {
		return fmt.Errorf("the content type %q is not in the document", kind)
	}
	if x.Request.Method == http.MethodHead {
		if len(x.Body) > 0 {
			return errors.New("a body in the response to HEAD")
		}
		return nil
	}
	if mediaType != "application/json" {
		return nil
	}
	return onceEach(x.Body)
}

func (a *responses) checkHeaders(at string, response map[string]any, got http.Header) error {
	described, _ := response["headers"].(map[string]any)
	known := slices.Clone(framing)
	for name := range described {
		known = append(known, http.CanonicalHeaderKey(name))
		where, header := a.get(at + pointer("headers", name))
		values := got.Values(name)
		switch {
		case len(values) > 1:
			return fmt.Errorf("the header %s occurs %d times", name, len(values))
		case len(values) == 0 && header["required"] == true:
			return fmt.Errorf("the header %s is missing", name)
		case len(values) == 0:
			continue
		}
		_, schema := a.get(where + "/schema")
		if err := a.valid(where+"/schema", headerValue(schema, values[0])); err != nil {
			return fmt.Errorf("the header %s: %q: %w", name, values[0], err)
		}
	}
	for name := range got {
		if !slices.Contains(known, name) {
			return fmt.Errorf("the header %s is not in the document", name)
		}
	}
	return nil
}

// headerValue returns text as a number if the schema's type is integer, and as a string otherwise.
func headerValue(schema map[string]any, text string) any {
	var n json.Number
	if schema["type"] == "integer" && json.Unmarshal([]byte(text), &n) == nil {
		return n
	}
	return text
}

// valid validates a value against the schema at a pointer.
func (a *responses) valid(at string, value any) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	schema, there := a.compiled[at]
	if !there {
		var err error
		if schema, err = a.schemas.Compile("document#" + at); err != nil {
			return err
		}
		a.compiled[at] = schema
	}
	return schema.Validate(value)
}

// noOperation checks the response to a request for which the document has no operation. The document's
// extension x-answers-of-no-operation describes such responses.
func (a *responses) noOperation(status int, x Exchange) error {
	at := pointer("x-answers-of-no-operation", fmt.Sprint(status))
	if x.Status != status {
		return fmt.Errorf("the document has no such operation: want status %d", status)
	}
	if err := a.check(at, x); err != nil || x.Request.Method == http.MethodHead {
		return err
	}
	body, err := jsonschema.UnmarshalJSON(bytes.NewReader(x.Body))
	if err != nil {
		return err
	}
	return a.valid(at+pointer("content", "application/json", "schema"), body)
}
