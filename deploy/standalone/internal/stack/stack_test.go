package stack_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"vitae.internal/deploy/standalone/internal/stack"
	"vitae.internal/pkg/config"
	"vitae.internal/pkg/testkit/ports"
)

// environment is a stack of its own: free ports, a new data folder, no demo.
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

// up starts a stack, waits until it is up, and returns what it has printed and a function
// that stops it.
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

// The first start seeds the demo world, the second one finds it.
func TestTheStackComesUpGoesDownAndComesUpAgain(t *testing.T) {
	e, programs := demo(t)
	for start := range 2 {
		said, down := up(t, e, programs)
		if start == 0 {
			t.Run("the demo shows every state and stage with the printed keys", func(t *testing.T) { everyStateAndStageIsShown(t, said, e) })
			t.Run("the demo has members and an account with a quarter of usage", func(t *testing.T) { anAccountHasMembersAndAQuarterOfUsage(t, said, e) })
			t.Run("parts of one process have no connections to each other", func(t *testing.T) { noPartIsConnected(t, e) })
		}
		res, err := http.Get("http://" + e["VITAE_OPS_ADDR"] + "/readyz")
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if res.StatusCode != http.StatusOK {
			t.Errorf("readiness answers %s", res.Status)
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

// A gateway that is ready has asked the services.
func noPartIsConnected(t *testing.T, e config.Environment) {
	for _, variable := range []string{"VITAE_AUTH_GRPC_ADDR", "VITAE_PARTNERCATALOG_GRPC_ADDR", "VITAE_CANDIDATE_GRPC_ADDR", "VITAE_CVRENDER_GRPC_ADDR"} {
		// Connections of what has seeded the demo world are about to end; those of a part stay.
		for end := time.Now().Add(time.Minute); connections(t, e[variable]) > 0; time.Sleep(10 * time.Millisecond) {
			if time.Now().After(end) {
				t.Errorf("%d connections to %s", connections(t, e[variable]), variable)
				break
			}
		}
		conn, err := net.Dial("tcp", e[variable]) // teams call there
		if err != nil {
			t.Errorf("%s: %v", variable, err)
			continue
		}
		if n := connections(t, e[variable]); n == 0 {
			t.Errorf("a connection to %s is not seen", variable)
		}
		_ = conn.Close()
	}
}

// connections counts those that somebody has made to an address and that stand
// (proc_net_tcp(5): st is 01).
func connections(t *testing.T, address string) (n int) {
	t.Helper()
	_, port, err := net.SplitHostPort(address)
	if err != nil {
		t.Fatal(err)
	}
	number, err := strconv.Atoi(port)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile("/proc/self/net/tcp")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(raw)) {
		fields := strings.Fields(line)
		if len(fields) > 3 && strings.HasSuffix(fields[2], fmt.Sprintf(":%04X", number)) && fields[3] == "01" {
			n++
		}
	}
	return n
}

func TestATakenAddressIsNamedWithTheVariableThatMovesIt(t *testing.T) {
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
