package api

import (
	"context"
	"encoding/json"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"testing"

	"vitae.internal/gateway/internal/admission"
	"vitae.internal/gateway/internal/admission/limits"
	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/api/openapi"
	"vitae.internal/gateway/internal/contract"
	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
)

// described holds the parts of an OpenAPI operation that the contracts also define.
type described struct {
	Security   []map[string][]string `json:"security"`
	Scopes     []string              `json:"x-required-scopes"`
	Parameters []struct {
		Name string `json:"name"`
		In   string `json:"in"`
	} `json:"parameters"`
	Responses map[string]json.RawMessage `json:"responses"`
}

func (d described) parameters(in string) []string {
	names := []string{}
	for _, p := range d.Parameters {
		if p.In == in {
			names = append(names, p.Name)
		}
	}
	return names
}

func documented(t *testing.T) map[string]described {
	t.Helper()
	var document struct {
		Paths map[string]map[string]described
	}
	if err := json.Unmarshal([]byte(openapi.Committed), &document); err != nil {
		t.Fatal(err)
	}
	operations := map[string]described{}
	for path, item := range document.Paths {
		for method, one := range item {
			operations[strings.ToUpper(method)+" "+path] = one
		}
	}
	return operations
}

// unlimited is a Limiter that allows every request.
type unlimited struct{}

func (unlimited) Surface(context.Context, limits.Tier, string) error           { return nil }
func (unlimited) CheckSurface(context.Context, limits.Tier, string, int) error { return nil }

func TestDocumentDescribesServedRoutes(t *testing.T) {
	routes, err := Config{Admission: admission.Shared{Limiter: unlimited{}}}.table(answer.Errors{Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	operations := documented(t)
	served := map[string]bool{}
	for _, r := range routes {
		name := r.Method + " " + r.Template
		served[name] = true
		if _, there := operations[name]; !there {
			t.Errorf("%s is served, but not in the document", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(operations)) {
		if !served[name] {
			t.Errorf("%s is in the document, but not served", name)
		}
	}
}

// The tests of package app compare the document with a running gateway.
func TestDocumentHasCredentialsAndScopes(t *testing.T) {
	operations := documented(t)
	for _, s := range (Config{}).services() {
		methods, err := contract.MethodsOf(s.contract)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range methods {
			name := m.HTTPMethod + " " + m.Template
			got := operations[name]
			scheme := map[optionsv1.Credential]string{
				optionsv1.Credential_CREDENTIAL_USER_TOKEN: "userToken", optionsv1.Credential_CREDENTIAL_API_KEY: "apiKey",
			}[m.Credential]
			if len(got.Security) != 1 || got.Security[0][scheme] == nil || !slices.Equal(got.Scopes, []string{m.Scope}) {
				t.Errorf("%s: credential %v, scopes %v", name, got.Security, got.Scopes)
			}
			if scheme == "userToken" && !slices.Equal(got.Security[0][scheme], []string{m.Scope}) {
				t.Errorf("%s: scopes %v", name, got.Security)
			}
			var params []string
			for _, p := range m.Params {
				params = append(params, p.JSON)
			}
			if !slices.Equal(got.parameters("path"), append([]string{}, params...)) {
				t.Errorf("%s: path parameters %v, want %v", name, got.parameters("path"), params)
			}
		}
	}
}
