package stack_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vitae.internal/deploy/standalone/internal/stack"
	"vitae.internal/pkg/config"
	"vitae.internal/pkg/testkit/ports"
)

// environment returns the environment of a separate stack with free ports, a new data folder and no demo data.
func environment(t *testing.T) config.Environment {
	t.Helper()
	dir, err := os.MkdirTemp("", "vitae-stack-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o711); err != nil { // the servers may run as another user
		t.Fatal(err)
	}
	e := config.Environment{"PATH": os.Getenv("PATH"), "VITAE_DATA_DIR": filepath.Join(dir, ".vitae"), "VITAE_WORLD": "none"}
	for _, variable := range []string{
		"VITAE_PUBLIC_ADDR", "VITAE_APP_ADDR", "VITAE_LEGACY_ADDR", "VITAE_CONSOLE_ADDR", "VITAE_OPS_ADDR", "PARTNER_ADDR",
		"VITAE_AUTH_GRPC_ADDR", "VITAE_PARTNERCATALOG_GRPC_ADDR", "VITAE_CANDIDATE_GRPC_ADDR", "VITAE_CVRENDER_GRPC_ADDR",
	} {
		address, err := ports.FreeAddress()
		if err != nil {
			t.Fatal(err)
		}
		e[variable] = address
	}
	return e
}

// up starts a stack, waits until it is ready, and returns its output and a function that stops it.
func up(t *testing.T, e config.Environment, programs string) (said string, down func() error) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	out, in := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := stack.Run(ctx, e, programs, in)
		_ = in.CloseWithError(io.EOF)
		ended <- err
	}()
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		said += lines.Text() + "\n"
		if strings.HasPrefix(lines.Text(), "Ctrl-C") {
			go func() { _, _ = io.Copy(io.Discard, out) }()
			return said, func() error { cancel(); return <-ended }
		}
	}
	cancel()
	t.Fatalf("the stack did not come up: %v", <-ended)
	return "", nil
}

// The first start seeds the demo world, and the second one finds it.
func TestStackStartsStopsAndRestarts(t *testing.T) {
	e, programs := demo(t)
	for start := range 2 {
		said, down := up(t, e, programs)
		if start == 0 {
			t.Run("the demo shows every state and stage with the printed keys", func(t *testing.T) { everyStateAndStageIsShown(t, said, e) })
			t.Run("the demo has members and an account with a quarter of usage", func(t *testing.T) { anAccountHasMembersAndAQuarterOfUsage(t, said, e) })
		}
		res, err := http.Get("http://" + e["VITAE_OPS_ADDR"] + "/readyz")
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if res.StatusCode != http.StatusOK {
			t.Errorf("/readyz returns %s", res.Status)
		}
		if err := down(); err != nil {
			t.Fatalf("stopped with %v", err)
		}
		if conn, err := net.Dial("tcp", e["VITAE_PUBLIC_ADDR"]); err == nil {
			_ = conn.Close()
			t.Error("the gateway still listens")
		}
	}
}

func TestAddressInUseErrorNamesVariable(t *testing.T) {
	e := environment(t)
	l, err := net.Listen("tcp4", e["VITAE_APP_ADDR"])
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	err = stack.Run(t.Context(), e, t.TempDir(), io.Discard)
	if err == nil || !strings.Contains(err.Error(), "VITAE_APP_ADDR") {
		t.Errorf("got %v, want an error that names VITAE_APP_ADDR", err)
	}
}
