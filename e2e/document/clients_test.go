package document_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/e2e/internal/world"
	"vitae.internal/pkg/testkit"
)

// documentFile writes the stack's OpenAPI document to a file.
func documentFile(t testing.TB) string {
	t.Helper()
	a := expect.Must(partner.Get(t.Context(), suite.System.BaseURLs[0]+"/v1/openapi.json", ""))(t)
	if a.Status != http.StatusOK {
		t.Fatalf("the document: %s", a)
	}
	file := filepath.Join(t.TempDir(), "openapi.json")
	if err := os.WriteFile(file, a.Body, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// clientScene imports a platform with applicants and connects a person to an app. It returns
// environment variables for a client program.
func clientScene(t testing.TB) (settings []string) {
	t.Helper()
	w := world.Applicants()
	w.Developers = []world.Developer{world.OneDeveloper()}
	p := scene.NewPlatform(t, w)
	tokens := scene.Connect(t, p.Client(t, "web"), p.NewPerson(t, "layla"), world.EveryScope, person.Choice{})
	return []string{
		"BASE=" + suite.System.BaseURLs[0], "API_KEY=" + p.Created.APIKeys["ats-key"].Key,
		"ACCESS_TOKEN=" + tokens.Access, "JOB=" + p.Created.Jobs["job"].ID,
	}
}

func TestGeneratedTypeScriptClientWorks(t *testing.T) {
	t.Parallel()
	dir := copyOf(t, "typescript")
	withNode(t, dir)
	works(t, dir, nil, "node", "node_modules/openapi-typescript/bin/cli.js", documentFile(t), "-o", "vitae.d.ts")
	works(t, dir, nil, "node", "node_modules/typescript/bin/tsc", "-p", ".")
	works(t, dir, clientScene(t), "node", "out/flow.js")
}

func TestGeneratedGoClientWorks(t *testing.T) {
	t.Parallel()
	dir := copyOf(t, "golang")
	root := expect.Must(testkit.Root())(t)
	if err := os.Mkdir(filepath.Join(dir, "vitae"), 0o700); err != nil {
		t.Fatal(err)
	}
	works(t, filepath.Join(root, "tools", "openapi"), nil, "go", "tool", "oapi-codegen",
		"-config", filepath.Join(dir, "oapi-codegen.yaml"), "-o", filepath.Join(dir, "vitae", "client.gen.go"), documentFile(t))
	goBuilds(t, dir, "platform", ".")
	works(t, dir, clientScene(t), filepath.Join(dir, "platform"))
}

func TestCertifiedOAuthClientsWork(t *testing.T) {
	t.Parallel()
	allow, cancel := person.Choice{}, person.Choice{Cancel: true}
	for library, choices := range map[string][]person.Choice{
		"oauth4webapi":  {allow, allow, allow, cancel},
		"openid-client": {allow, cancel},
	} {
		for auth, app := range map[string]string{"basic": "web", "post": "web", "none": "mobile"} {
			t.Run(library+" "+auth, func(t *testing.T) {
				t.Parallel()
				s := scene.New(t)
				client := s.Client(t, app)
				dir := copyOf(t, "oauth")
				withNode(t, dir)
				cmd := program(t.Context(), dir, []string{
					"BASE=" + suite.System.BaseURLs[0], "AUTH=" + auth,
					"CLIENT_ID=" + client.ID, "CLIENT_SECRET=" + client.Secret, "REDIRECT_URI=" + client.Redirect,
				}, "node", library+".mjs")
				if out := converse(t, cmd, s.NewPerson(t, "layla"), choices...); !strings.HasSuffix(out, "done\n") {
					t.Errorf("the program stopped early:\n%s", out)
				}
			})
		}
	}
}
