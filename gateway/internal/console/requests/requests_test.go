package requests

import (
	"slices"
	"strings"
	"testing"

	"vitae.internal/docs"
	"vitae.internal/gateway/internal/answer"
)

func TestGuideExplainsEveryPublicCode(t *testing.T) {
	t.Parallel()
	explained, err := readErrorDocs(docs.Files, "https://vitae.example")
	if err != nil {
		t.Fatal(err)
	}
	for _, code := range answer.Codes() {
		if doc := explained[code]; len(doc.Text) < 10 || strings.ContainsAny(string(doc.Text), "`|") {
			t.Errorf("%s is explained as %q", code, doc.Text)
		}
	}
}

func TestRoutesRequireTheirScopes(t *testing.T) {
	t.Parallel()
	routes, scopes, err := readRoutes()
	if err != nil {
		t.Fatal(err)
	}
	for _, route := range routes {
		known := scopes["GET "+route] + scopes["POST "+route] + scopes["PATCH "+route]
		if credential := strings.HasSuffix(route, "{token}"); strings.HasPrefix(route, "/v1/") && (known == "") != credential {
			t.Errorf("%s requires the scope %q", route, known)
		}
	}
	if !slices.IsSorted(routes) {
		t.Errorf("routes are not sorted: %v", routes)
	}
}
