package document_test

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/node"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/suite"
)

// copyOf copies a folder of e2e/clients to a temporary folder.
func copyOf(t testing.TB, folder string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("..", "clients", folder))); err != nil {
		t.Fatal(err)
	}
	return dir
}

// withNode makes the npm packages available to programs in a folder.
func withNode(t testing.TB, dir string) {
	t.Helper()
	if err := os.Symlink(expect.Must(node.Modules())(t), filepath.Join(dir, "node_modules")); err != nil {
		t.Fatal(err)
	}
}

// program returns a command that runs in a folder, with additional environment variables.
func program(ctx context.Context, dir string, settings []string, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "GOWORK=off", "NODE_OPTIONS="+nodeOptions()), settings...)
	return cmd
}

// nodeOptions enables the global crypto object in Node 18. Later versions have it by default.
var nodeOptions = sync.OnceValue(func() string {
	if version, err := exec.Command("node", "--version").Output(); err == nil && strings.HasPrefix(string(version), "v18.") {
		return "--experimental-global-webcrypto"
	}
	return "" // if Node is missing, running a program reports it
})

// works runs a command that must succeed, and returns its output.
func works(t testing.TB, dir string, settings []string, name string, args ...string) string {
	t.Helper()
	out, err := program(t.Context(), dir, settings, name, args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// goBuilds builds Go programs in a folder. Every run has its own folder; -trimpath keeps the path out
// of the build, so the build cache is used. Linking takes half as long without debug information.
func goBuilds(t testing.TB, dir, out string, packages ...string) {
	t.Helper()
	works(t, dir, nil, "go", append([]string{"build", "-trimpath", "-ldflags=-s -w", "-o", out}, packages...)...)
}

// converse runs a program that sends a person to the consent page. The person opens each URL that the program
// prints, and makes the next choice. The program then reads the URL of the redirect. converse returns
// everything that the program printed.
func converse(t testing.TB, cmd *exec.Cmd, p *person.Person, choices ...person.Choice) string {
	t.Helper()
	in := expect.Must(cmd.StdinPipe())(t)
	out := expect.Must(cmd.StdoutPipe())(t)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var printed strings.Builder
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		printed.WriteString(lines.Text() + "\n")
		if !strings.HasPrefix(lines.Text(), suite.System.BaseURLs[0]+"/oauth/authorize?") {
			continue
		}
		if len(choices) == 0 {
			t.Fatalf("the program sends the person to one more consent page: %s", lines.Text())
		}
		back := expect.Must(p.Authorize(t.Context(), lines.Text(), choices[0]))(t)
		choices = choices[1:]
		if _, err := io.WriteString(in, back.String()+"\n"); err != nil {
			t.Fatalf("write to the program: %v\n%s", err, stderr.String())
		}
	}
	if err := cmd.Wait(); err != nil || len(choices) != 0 {
		t.Fatalf("%v, %d choices left\n%s%s", err, len(choices), printed.String(), stderr.String())
	}
	return printed.String()
}
