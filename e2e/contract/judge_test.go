package contract_test

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"vitae.internal/e2e/contract"
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
        "304": {"description": "Unchanged.", "headers": {"X-Request-Id": {"required": true, "schema": {"type": "string"}}}},
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
  }}
}`

// answer is what a service said.
type answer struct {
	method, path, sent string
	status             int
	headers            string // "Name: value" lines
	body               string
}

func (a answer) exchange(t *testing.T) contract.Exchange {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), a.method, "http://service.example"+a.path, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	x := contract.Exchange{Request: req, Sent: []byte(a.sent), Status: a.status, Header: http.Header{}, Body: []byte(a.body)}
	if a.sent != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	if a.body != "" {
		x.Header.Set("Content-Type", "application/json")
	}
	for line := range strings.Lines(a.headers) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		x.Header.Set(name, value)
	}
	return x
}

func TestAnAnswerThatTheDocumentHasIsNoDifference(t *testing.T) {
	const id = "X-Request-Id: req_1"
	for name, a := range map[string]answer{
		"a thing":                {"GET", "/things/1", "", 200, id, `{"name":"a","at":"2026-01-02T03:04:05.000Z","note":"n"}`},
		"null":                   {"GET", "/things/1", "", 200, id, `{"name":null,"at":"2026-01-02T03:04:05.000Z"}`},
		"HEAD":                   {"HEAD", "/things/1", "", 200, id, ``},
		"no body":                {"GET", "/things/1", "", 304, id, ``},
		"an error":               {"GET", "/things/1", "", 404, id, `{"error":{"code":"NO_THING"}}`},
		"a request":              {"POST", "/things/1", `{"size":3,"more":1}`, 200, id, `{}`},
		"a refused request":      {"POST", "/things/1", `{"size":4}`, 400, id, `{}`},
		"no such path":           {"GET", "/nothing", "", 404, id, `{"error":{"code":"NOT_FOUND"}}`},
		"no such method":         {"PUT", "/things/1", "", 405, id, `{"error":{"code":"METHOD_NOT_ALLOWED"}}`},
		"HEAD of no such path":   {"HEAD", "/nothing", "", 404, id, ``},
		"HEAD of no such thing":  {"HEAD", "/things/2", "", 404, id, ``},
		"headers of HTTP itself": {"GET", "/things/1", "", 304, id + "\nDate: now", ``},
	} {
		if err := judge(t).Judge(a.exchange(t)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestEveryKindOfDifferenceIsFound(t *testing.T) {
	const id = "X-Request-Id: req_1"
	for name, a := range map[string]answer{
		"a field too many":           {"GET", "/things/1", "", 200, id, `{"name":"a","at":"2026-01-02T03:04:05.000Z","more":1}`},
		"a field too few":            {"GET", "/things/1", "", 200, id, `{"name":"a"}`},
		"null where none may be":     {"GET", "/things/1", "", 200, id, `{"name":"a","at":null}`},
		"a wrong format":             {"GET", "/things/1", "", 200, id, `{"name":"a","at":"yesterday"}`},
		"no JSON":                    {"GET", "/things/1", "", 200, id, `a thing`},
		"a header too few":           {"GET", "/things/1", "", 304, "", ``},
		"a header too many":          {"GET", "/things/1", "", 304, id + "\nX-More: 1", ``},
		"a status too many":          {"GET", "/things/1", "", 201, id, `{}`},
		"a code too many":            {"GET", "/things/1", "", 404, id, `{"error":{"code":"OTHER"}}`},
		"a path too many":            {"GET", "/more", "", 200, id, `{}`},
		"a method too many":          {"PUT", "/things/1", "", 200, id, `{}`},
		"a request that is too much": {"POST", "/things/1", `{"size":4}`, 200, id, `{}`},
		"a request without a field":  {"POST", "/things/1", `{}`, 200, id, `{}`},
		"HEAD without a header":      {"HEAD", "/things/1", "", 200, "", ``},
	} {
		j := judge(t)
		if err := j.Judge(a.exchange(t)); err == nil || j.First() == nil {
			t.Errorf("%s: found nothing", name)
		}
	}
}

func TestAnswersAreJudgedBesideEachOther(t *testing.T) {
	j := judge(t)
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for range 20 {
				a := answer{"GET", "/things/1", "", 200, "X-Request-Id: req_1", `{"name":"a","at":"2026-01-02T03:04:05.000Z"}`}
				if err := j.Judge(a.exchange(t)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
}

func judge(t *testing.T) *contract.Judge {
	t.Helper()
	j, err := contract.New([]byte(document))
	if err != nil {
		t.Fatal(err)
	}
	return j
}
