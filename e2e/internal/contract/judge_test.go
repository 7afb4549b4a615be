package contract_test

import (
	"net/http"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/contract"
)

const document = `{
  "openapi": "3.1.0",
  "info": {"title": "Things", "version": "1"},
  "paths": {"/things/{id}": {
    "get": {
      "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}],
      "responses": {
        "200": {
          "description": "A thing.",
          "headers": {"X-Request-Id": {"required": true, "schema": {"type": "string"}}},
          "content": {"application/json": {"schema": {
            "type": "object", "required": ["name", "at"],
            "properties": {"name": {"type": ["string", "null"]}, "at": {"type": "string", "format": "date-time"}, "note": {"type": "string"}}
          }}}
        },
        "304": {"description": "Unchanged.", "headers": {
          "X-Request-Id": {"required": true, "schema": {"type": "string"}},
          "ETag": {"schema": {"type": "string", "pattern": "^\"[^\"]+\"$"}},
          "X-Left": {"schema": {"type": "integer", "minimum": 0}},
          "Cache-Control": {"schema": {"type": "string", "const": "no-cache"}}
        }},
        "404": {
          "description": "None.",
          "headers": {"X-Request-Id": {"required": true, "schema": {"type": "string"}}},
          "content": {"application/json": {"schema": {
            "type": "object", "required": ["error"],
            "properties": {"error": {"type": "object", "required": ["code"], "properties": {"code": {"type": "string", "enum": ["NO_THING"]}}}}
          }}}
        }
      }
    },
    "put": {
      "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}],
      "security": [{"key": []}],
      "responses": {"200": {
        "description": "A file.", "headers": {"X-Request-Id": {"required": true, "schema": {"type": "string"}}},
        "content": {"application/pdf": {"schema": {"type": "string", "format": "binary"}}}
      }}
    },
    "post": {
      "parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}],
      "requestBody": {"required": true, "content": {"application/json": {"schema": {
        "type": "object", "required": ["size"], "properties": {"size": {"type": "integer", "maximum": 3}}
      }}}},
      "responses": {
        "200": {
          "description": "Made.", "headers": {"X-Request-Id": {"required": true, "schema": {"type": "string"}}},
          "content": {"application/json": {"schema": {"type": "object", "properties": {}}}}
        },
        "400": {
          "description": "Bad.", "headers": {"X-Request-Id": {"required": true, "schema": {"type": "string"}}},
          "content": {"application/json": {"schema": {"type": "object", "properties": {}}}}
        }
      }
    }
  }},
  "components": {"securitySchemes": {"key": {"type": "http", "scheme": "bearer"}}},
  "x-answers-of-no-operation": {
    "404": {
      "description": "None.", "headers": {"X-Request-Id": {"required": true, "schema": {"type": "string"}}},
      "content": {"application/json": {"schema": {
        "type": "object", "required": ["error"],
        "properties": {"error": {"type": "object", "required": ["code"], "properties": {"code": {"type": "string", "enum": ["NOT_FOUND"]}}}}
      }}}
    },
    "405": {
      "description": "None.",
      "headers": {"X-Request-Id": {"required": true, "schema": {"type": "string"}}, "Allow": {"required": true, "schema": {"type": "string"}}},
      "content": {"application/json": {"schema": {
        "type": "object", "required": ["error"],
        "properties": {"error": {"type": "object", "required": ["code"], "properties": {"code": {"type": "string", "enum": ["METHOD_NOT_ALLOWED"]}}}}
      }}}
    }
  }
}`

// sample is a request and its response.
type sample struct {
	method, path, sent string
	status             int
	headers            string // "Name: value" lines
	body               string
}

func (a sample) exchange(t *testing.T) contract.Exchange {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), a.method, "http://service.example"+a.path, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	x := contract.Exchange{Request: req, Sent: []byte(a.sent), Status: a.status, Header: http.Header{}, Body: []byte(a.body)}
	if a.sent != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	if a.body != "" || a.method == "HEAD" && a.status != 304 {
		x.Header.Set("Content-Type", "application/json")
	}
	for line := range strings.Lines(a.headers) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		switch name {
		case "Content-Type":
			x.Header.Set(name, value)
		case "Authorization":
			req.Header.Set(name, value)
		default:
			x.Header.Add(name, value)
		}
	}
	return x
}

const id = "X-Request-Id: req_1"

// documented holds exchanges that match the document.
var documented = map[string]sample{
	"a thing":            {"GET", "/things/1", "", 200, id, `{"name":"a","at":"2026-01-02T03:04:05.000Z","note":"n"}`},
	"HEAD":               {"HEAD", "/things/1", "", 200, id, ``},
	"no body":            {"GET", "/things/1", "", 304, id, ``},
	"an error":           {"GET", "/things/1", "", 404, id, `{"error":{"code":"NO_THING"}}`},
	"a request":          {"POST", "/things/1", `{"size":3,"more":1}`, 200, id, `{}`},
	"a rejected request": {"POST", "/things/1", `{"size":4}`, 400, id, `{}`},
	"no such path":       {"GET", "/nothing", "", 404, id, `{"error":{"code":"NOT_FOUND"}}`},
	"no such method":     {"DELETE", "/things/1", "", 405, id + "\nAllow: GET, HEAD", `{"error":{"code":"METHOD_NOT_ALLOWED"}}`},
	"a file":             {"PUT", "/things/1", "", 200, id + "\nAuthorization: Bearer x\nContent-Type: application/pdf", `%PDF`},
	"all headers":        {"GET", "/things/1", "", 304, id + "\nETag: \"a\"\nX-Left: 3\nCache-Control: no-cache", ``},
}

func TestDocumentedResponsesAreAccepted(t *testing.T) {
	j := judge(t)
	for range 2 { // the second pass uses the cache
		for name, a := range documented {
			if err := j.Judge(a.exchange(t)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

func TestEveryDifferenceIsFound(t *testing.T) {
	for name, a := range map[string]sample{
		"an unknown field":            {"GET", "/things/1", "", 200, id, `{"name":"a","at":"2026-01-02T03:04:05.000Z","more":1}`},
		"an invalid null":             {"GET", "/things/1", "", 200, id, `{"name":"a","at":null}`},
		"a wrong format":              {"GET", "/things/1", "", 200, id, `{"name":"a","at":"yesterday"}`},
		"not JSON":                    {"GET", "/things/1", "", 200, id, `a thing`},
		"a missing header":            {"GET", "/things/1", "", 304, "", ``},
		"an unknown header":           {"GET", "/things/1", "", 304, id + "\nX-More: 1", ``},
		"an unknown status":           {"GET", "/things/1", "", 201, id, `{}`},
		"an unknown code":             {"GET", "/things/1", "", 404, id, `{"error":{"code":"OTHER"}}`},
		"an unknown path":             {"GET", "/more", "", 200, id, `{}`},
		"an unknown method":           {"DELETE", "/things/1", "", 200, id, `{}`},
		"an invalid request":          {"POST", "/things/1", `{"size":4}`, 200, id, `{}`},
		"a header twice":              {"GET", "/things/1", "", 304, id + "\nX-Request-Id: req_2", ``},
		"a malformed header":          {"GET", "/things/1", "", 304, id + "\nETag: a", ``},
		"a header of wrong type":      {"GET", "/things/1", "", 304, id + "\nX-Left: many", ``},
		"an undocumented body":        {"GET", "/things/1", "", 304, id, `{"name":"a"}`},
		"a wrong content type":        {"GET", "/things/1", "", 200, id + "\nContent-Type: text/html", `{"name":"a","at":"2026-01-02T03:04:05.000Z"}`},
		"no body":                     {"GET", "/things/1", "", 200, id, ``},
		"more than one value":         {"GET", "/things/1", "", 200, id, `{"name":"a","at":"2026-01-02T03:04:05.000Z"}{}`},
		"a field twice":               {"GET", "/things/1", "", 200, id, `{"name":"a","name":"b","at":"2026-01-02T03:04:05.000Z"}`},
		"a file without a credential": {"PUT", "/things/1", "", 200, id + "\nContent-Type: application/pdf", `%PDF`},
		"HEAD with a wrong value":     {"HEAD", "/things/1", "", 304, id + "\nCache-Control: public", ``},
		"HEAD with a body":            {"HEAD", "/things/1", "", 200, id, `{}`},
		"no path, no request id":      {"GET", "/nothing", "", 404, "", `{"error":{"code":"NOT_FOUND"}}`},
		"no path, an unknown field":   {"GET", "/nothing", "", 404, id, `{"error":{"code":"NOT_FOUND"},"more":1}`},
		"no method, no Allow":         {"DELETE", "/things/1", "", 405, id, `{"error":{"code":"METHOD_NOT_ALLOWED"}}`},
	} {
		j := judge(t)
		for _, known := range documented {
			if err := j.Judge(known.exchange(t)); err != nil {
				t.Fatal(err)
			}
		}
		if err := j.Judge(a.exchange(t)); err == nil || j.First() == nil {
			t.Errorf("%s: no difference was found", name)
		}
	}
}

func judge(t *testing.T) *contract.Judge {
	t.Helper()
	j, err := contract.New([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	return j
}
