package docs_test

import (
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// layer matches a package of the gateway in the list of docs/architecture.md.
var layer = regexp.MustCompile(`(?m)^    ([a-z]+)/ +`)

// gatewayLayers are the packages that docs/architecture.md lists below
// gateway/internal.
func gatewayLayers(t *testing.T) []string {
	t.Helper()
	page, err := os.ReadFile("architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	_, list, found := strings.Cut(string(page), "```\ngateway/\n")
	list, _, closed := strings.Cut(list, "```")
	if !found || !closed {
		t.Fatal("docs/architecture.md has no list of the gateway's packages")
	}
	var names []string
	for _, m := range layer.FindAllStringSubmatch(list, -1) {
		names = append(names, m[1])
	}
	return names
}

func TestEveryLayerOfTheGatewayIsNamedAndHasARuleOfImports(t *testing.T) {
	raw, err := os.ReadFile("../.golangci.yml")
	if err != nil {
		t.Fatal(err)
	}
	named := gatewayLayers(t)
	folders, err := fs.ReadDir(os.DirFS("../gateway"), "internal")
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range folders {
		if folder.IsDir() && !slices.Contains(named, folder.Name()) {
			t.Errorf("docs/architecture.md does not list gateway/internal/%s", folder.Name())
		}
	}
	for _, name := range named {
		rule := regexp.MustCompile(`(?m)^        ` + name + `:\n +list-mode: lax\n +files: \["\*\*/gateway/internal/` + name + `/\*\*"`)
		if !rule.Match(raw) {
			t.Errorf(".golangci.yml has no rule %s for gateway/internal/%s", name, name)
		}
	}
}
