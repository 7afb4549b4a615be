package bench

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/stack"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/e2e/internal/world"
	"vitae.internal/pkg/testkit"
	"vitae.internal/pkg/testkit/ports"
)

// system is the stack to measure: one gateway replica, without rate limits per IP address and client.
var system *stack.Stack

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	if flag.Parse(); flag.Lookup("test.bench").Value.String() == "" {
		return m.Run() // only benchmarks need the stack
	}
	ctx := context.Background()
	tidy, err := suite.Prepare(ctx)
	if err != nil {
		return suite.Fail(err)
	}
	defer tidy()
	system, err = stack.New(stack.Options{
		Binaries: suite.Programs, Dir: filepath.Join(suite.Scratch, "data"), Replicas: 1, Env: []string{suite.NoTiers, suite.Split},
	})
	if err != nil {
		return suite.Fail(err)
	}
	if err := system.Start(ctx); err != nil {
		return suite.Fail(fmt.Errorf("%w\n%s", err, system.LogTail()))
	}
	code := m.Run()
	if err := system.Stop(); err != nil {
		return suite.Fail(err)
	}
	return code
}

// connected returns a person of world.Full who has connected an app.
func connected(b *testing.B) scene.Connected {
	b.Helper()
	return connectedAt(b, system)
}

// connectedAt is like connected, on a given stack.
func connectedAt(b *testing.B, on *stack.Stack) scene.Connected {
	b.Helper()
	s := scene.Of(b, on, world.World{People: []world.Person{world.Full()}, Developers: []world.Developer{world.OneDeveloper()}})
	c := scene.Connected{Scene: s, App: s.Client(b, "web"), Person: s.NewPerson(b, "layla")}
	c.Tokens = scene.Connect(b, c.App, c.Person, world.EveryScope, person.Choice{})
	return c
}

// floorOf describes a read from the floor server.
type floorOf struct {
	// service is the service whose database contains the row.
	service string
	// path is a path of the floor server. id is the id of the row.
	path, id string
	// account is the account that owns the credential.
	account, credential string
}

// startFloor builds and starts the floor server with the stack's Redis and the database of a service. It
// returns the URL of the read.
func startFloor(b *testing.B, f floorOf) (url string) {
	b.Helper()
	addr := expect.Must(ports.FreeAddress())(b)
	root, err := testkit.Root()
	if err != nil {
		b.Fatal(err)
	}
	program := filepath.Join(suite.Scratch, "floor")
	build := exec.CommandContext(b.Context(), "go", "build", "-o", program, "./e2e/bench/floor")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("build the floor server: %v\n%s", err, out)
	}
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(),
		"FLOOR_ADDR="+addr, "VITAE_POSTGRES_URL="+expect.Must(system.Setting(f.service, "VITAE_POSTGRES_URL"))(b), "VITAE_REDIS_URL="+expect.Must(system.RedisURL())(b),
		"FLOOR_ACCOUNT="+f.account, "FLOOR_PATH="+f.path, "FLOOR_ID="+f.id)
	cmd.Stderr = os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	// This request stores the session record that the floor server reads.
	if err := get(system.BaseURLs[0]+pathOfFloor[f.path](f), f.credential)(b.Context()); err != nil {
		b.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(b.Context(), 30*time.Second)
	defer cancel()
	url = "http://" + addr + f.path
	err = stack.Until(ctx, "wait for the floor server", func(ctx context.Context) error { return get(url, f.credential)(ctx) })
	if err != nil {
		b.Fatal(err)
	}
	return url
}
