package reference

import (
	"strings"
	"testing"
)

// minimal is a document with one operation, whose response has the schema Thing.
const minimal = `{"info": {"title": "T", "version": "1", "description": "Hello."}, "tags": [{"name": "Two words", "description": "D."}],
"paths": {"/v1/things": {"get": {"tags": ["Two words"], "summary": "S", "description": "About.\n\nScope: ` + "`x`" + `.", "operationId": "getThing",
  "security": [{"apiKey": []}], "x-limits": {"accountBudget": true, "tier": {"burst": "20 in a second", "sustained": "9 in a minute", "countedFor": "app"}},
  "responses": {
    "200": {"description": "OK", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Thing"}, "examples": {}}}},
    "404": {"description": "-", "content": {"application/json": {"schema": {}, "examples": {"NO_THING": {"summary": "None.", "value": {"b": 1, "a": 2}}}}}}}}}},
"components": {"schemas": {"Thing": {"type": "object", "required": ["z"], "properties": {
  "z": {"anyOf": [{"$ref": "#/components/schemas/Part"}, {"type": "null"}], "description": "Z."},
  "a": {"type": "array", "items": {"$ref": "#/components/schemas/Part"}},
  "m": {"type": ["string", "null"], "format": "date-time"},
  "n": {"type": "integer", "minimum": 1, "maximum": 9, "default": 3}}},
 "Part": {"type": "object", "properties": {"word": {"type": "string", "enum": ["x", "y"], "maxLength": 5}}}}, "responses": {}, "headers": {}}}`

func TestOperationPageMatchesDocument(t *testing.T) {
	r, err := New([]byte(minimal))
	if err != nil {
		t.Fatal(err)
	}
	op := r.Groups[0].Operations[0]
	if r.Groups[0].ID != "two-words" || op.Path != "/docs/reference/getThing" || op.Method != "GET" || op.Credential != "API key" ||
		strings.Contains(string(op.About), "Scope") || len(op.Limits) != 2 {
		t.Errorf("the groups are %+v", r.Groups)
	}
	var shown []string
	for _, f := range op.Answers[0].Fields {
		one := f.Name + ": " + f.Type
		if f.Required {
			one += " required"
		}
		for _, inner := range f.Fields {
			one += " (" + inner.Name + ": " + strings.Join(inner.Values, "|") + " " + strings.Join(inner.Rules, ";") + ")"
		}
		shown = append(shown, one+strings.Join(f.Rules, ";"))
	}
	want := "z: object or null required (word: x|y at most 5 characters), a: array of objects (word: x|y at most 5 characters), " +
		"m: time stamp or null, n: integer3 when left out;at least 1;at most 9"
	if got := strings.Join(shown, ", "); got != want {
		t.Errorf("the fields are\n%s\nwant\n%s", got, want)
	}
	code := op.Answers[1].Codes
	if len(code) != 1 || code[0].Code != "NO_THING" || strings.Index(string(code[0].Example), "b") > strings.Index(string(code[0].Example), "&#34;a") {
		t.Errorf("the codes are %+v", code)
	}
}

func TestInvalidDocumentIsRejected(t *testing.T) {
	for name, change := range map[string][2]string{
		"invalid JSON":                  {"{", "["},
		"a dead reference":              {`schemas/Part"}, {"type"`, `schemas/Nothing"}, {"type"`},
		"a schema that contains itself": {`"word": {"type": "string", "enum": ["x", "y"], "maxLength": 5}`, `"part": {"$ref": "#/components/schemas/Part"}`},
		"a status that is not a number": {`"200"`, `"2XX"`},
	} {
		if _, err := New([]byte(strings.Replace(minimal, change[0], change[1], 1))); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
