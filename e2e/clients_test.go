package e2e_test

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/stack"
	"vitae.internal/e2e/internal/world"
)

// nodeModules installs the Node packages of tools/node if they are not there, and
// gives their folder.
var nodeModules = sync.OnceValues(func() (string, error) {
	root, err := stack.Root()
	if err != nil {
		return "", err
	}
	cmd := exec.Command(filepath.Join(root, "tools", "node.sh"))
	cmd.Stderr = os.Stderr
	return filepath.Join(root, "tools", "node", "node_modules"), cmd.Run()
})

// copyOf copies a folder of clients/ to one of the test's own.
func copyOf(t testing.TB, folder string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("clients", folder))); err != nil {
		t.Fatal(err)
	}
	return dir
}

// withNode makes the Node packages known to programs in a folder.
func withNode(t testing.TB, dir string) {
	t.Helper()
	if err := os.Symlink(must(nodeModules())(t), filepath.Join(dir, "node_modules")); err != nil {
		t.Fatal(err)
	}
}

// documentFile is the OpenAPI document that the stack serves, as a file.
func documentFile(t testing.TB) string {
	t.Helper()
	a := must(partner.Get(t.Context(), system.BaseURLs[0]+"/v1/openapi.json", ""))(t)
	if a.Status != http.StatusOK {
		t.Fatalf("the document: %s", a)
	}
	file := filepath.Join(t.TempDir(), "openapi.json")
	if err := os.WriteFile(file, a.Body, 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// program is a command in a folder, with settings beside the environment.
func program(ctx context.Context, dir string, settings []string, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "GOWORK=off", "NODE_OPTIONS="+nodeOptions()), settings...)
	return cmd
}

// nodeOptions gives Node 18 the global crypto that later ones have without asking.
var nodeOptions = sync.OnceValue(func() string {
	if version, err := exec.Command("node", "--version").Output(); err == nil && strings.HasPrefix(string(version), "v18.") {
		return "--experimental-global-webcrypto"
	}
	return "" // a missing Node is told when it is run
})

// works runs a command to its end, and gives what it printed.
func works(t testing.TB, dir string, settings []string, name string, args ...string) string {
	t.Helper()
	out, err := program(t.Context(), dir, settings, name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// converse runs a program that sends a person to the consent page: each address that
// it prints is opened by the person, who makes the next of the choices, and it is
// told where the browser came to. It gives all that the program printed.
func converse(t testing.TB, cmd *exec.Cmd, p *person.Person, choices ...person.Choice) string {
	t.Helper()
	in := must(cmd.StdinPipe())(t)
	out := must(cmd.StdoutPipe())(t)
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var printed strings.Builder
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		printed.WriteString(lines.Text() + "\n")
		if !strings.HasPrefix(lines.Text(), system.BaseURLs[0]+"/oauth/authorize?") {
			continue
		}
		if len(choices) == 0 {
			t.Fatalf("the program asks the person once more: %s", lines.Text())
		}
		back := must(p.Authorize(t.Context(), lines.Text(), choices[0]))(t)
		choices = choices[1:]
		if _, err := io.WriteString(in, back.String()+"\n"); err != nil {
			t.Fatalf("tell the program: %v\n%s", err, complaints.String())
		}
	}
	if err := cmd.Wait(); err != nil || len(choices) != 0 {
		t.Fatalf("%v, %d choices left\n%s%s", err, len(choices), printed.String(), complaints.String())
	}
	return printed.String()
}

// clientScene is a platform with applicants, and a person who has connected an app;
// settings are what the client programs are told of both.
func clientScene(t testing.TB) (settings []string) {
	t.Helper()
	w := applicants()
	w.Developers = []world.Developer{world.OneDeveloper()}
	p := newPlatform(t, w)
	tokens := connect(t, p.app(t, "web"), p.person(t, "layla"), allScopes, person.Choice{})
	return []string{
		"BASE=" + system.BaseURLs[0], "API_KEY=" + p.created.APIKeys["ats-key"].Key,
		"ACCESS_TOKEN=" + tokens.Access, "JOB=" + p.created.Jobs["job"].ID,
	}
}

func TestATypeScriptClientMadeFromTheDocumentRunsAFlow(t *testing.T) {
	t.Parallel()
	dir := copyOf(t, "typescript")
	withNode(t, dir)
	works(t, dir, nil, "node", "node_modules/openapi-typescript/bin/cli.js", documentFile(t), "-o", "vitae.d.ts")
	works(t, dir, nil, "node", "node_modules/typescript/bin/tsc", "-p", ".")
	works(t, dir, clientScene(t), "node", "out/flow.js")
}

func TestAGoClientMadeFromTheDocumentRunsTheSameFlow(t *testing.T) {
	t.Parallel()
	dir := copyOf(t, "golang")
	root := must(stack.Root())(t)
	if err := os.Mkdir(filepath.Join(dir, "vitae"), 0o700); err != nil {
		t.Fatal(err)
	}
	works(t, filepath.Join(root, "tools", "openapi"), nil, "go", "tool", "oapi-codegen",
		"-config", filepath.Join(dir, "oapi-codegen.yaml"), "-o", filepath.Join(dir, "vitae", "client.gen.go"), documentFile(t))
	// The path of the folder is new each time; without it the build is found in the cache.
	works(t, dir, nil, "go", "build", "-trimpath", "-o", "platform", ".")
	works(t, dir, clientScene(t), filepath.Join(dir, "platform"))
}

func TestCertifiedOAuthClientsSignInStaySignedInAndRevoke(t *testing.T) {
	t.Parallel()
	allow, cancel := person.Choice{}, person.Choice{Cancel: true}
	for library, choices := range map[string][]person.Choice{
		"oauth4webapi":  {allow, allow, allow, cancel},
		"openid-client": {allow, cancel},
	} {
		for auth, app := range map[string]string{"basic": "web", "post": "web", "none": "mobile"} {
			t.Run(library+" "+auth, func(t *testing.T) {
				t.Parallel()
				s := newScene(t)
				client := s.app(t, app)
				dir := copyOf(t, "oauth")
				withNode(t, dir)
				cmd := program(t.Context(), dir, []string{
					"BASE=" + system.BaseURLs[0], "AUTH=" + auth,
					"CLIENT_ID=" + client.ID, "CLIENT_SECRET=" + client.Secret, "REDIRECT_URI=" + client.Redirect,
				}, "node", library+".mjs")
				if out := converse(t, cmd, s.person(t, "layla"), choices...); !strings.HasSuffix(out, "done\n") {
					t.Errorf("it stopped early:\n%s", out)
				}
			})
		}
	}
}
