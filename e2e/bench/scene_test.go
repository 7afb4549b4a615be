package bench

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/stack"
	"vitae.internal/e2e/internal/world"
)

var (
	system  *stack.Stack
	scratch string
)

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "vitae-bench-")
	if err != nil {
		return fail(err)
	}
	defer os.RemoveAll(dir)
	// The servers run as a user of their own, who must be able to enter.
	if err := os.Chmod(dir, 0o711); err != nil {
		return fail(err)
	}
	scratch = dir
	programs, err := stack.Build(context.Background(), dir)
	if err != nil {
		return fail(err)
	}
	system, err = stack.New(stack.Options{
		Binaries: programs, Dir: filepath.Join(dir, "data"), Replicas: 1, Env: []string{"VITAE_SURFACE_TIERS=off"},
	})
	if err != nil {
		return fail(err)
	}
	if err := system.Start(context.Background()); err != nil {
		return fail(fmt.Errorf("%w\n%s", err, system.LogTail()))
	}
	code := m.Run()
	if err := system.Stop(); err != nil {
		return fail(err)
	}
	return code
}

func fail(err error) int {
	fmt.Fprintln(os.Stderr, "bench:", err)
	return 1
}

// scene is one person who has connected one app.
type scene struct {
	app     partner.Client
	tokens  partner.Tokens
	person  *person.Person
	created world.Created
}

func newScene(b *testing.B, p world.Person) scene {
	b.Helper()
	created := world.Import(b, system, world.World{People: []world.Person{p}, Developers: []world.Developer{world.OneDeveloper()}})
	app := created.Apps["web"]
	s := scene{
		app: partner.Client{
			BaseURL: system.BaseURLs[0], ID: app.ClientID, Secret: app.ClientSecret, Redirect: world.Redirect,
		},
		person: person.New(p.Email, p.Password), created: created,
	}
	request := s.app.NewRequest(world.EveryScope)
	back, err := s.person.Authorize(b.Context(), s.app.URL(request), person.Choice{})
	if err != nil {
		b.Fatal(err)
	}
	answer, err := s.app.Exchange(b.Context(), back.Query().Get("code"), request.Verifier)
	if err != nil {
		b.Fatal(err)
	}
	if s.tokens, err = answer.Tokens(); err != nil {
		b.Fatal(err)
	}
	return s
}

// floorOf says what the floor of one read stands on.
type floorOf struct {
	// part whose database holds the row.
	part string
	// path is one of the floor's reads, id the row's.
	path, id string
	// account of the credential that is sent.
	account, credential string
}

// startFloor runs the floor against the stack's own Redis and the part's own
// database, and returns the read's address.
func startFloor(b *testing.B, f floorOf) string {
	b.Helper()
	root, err := stack.Root()
	if err != nil {
		b.Fatal(err)
	}
	program := filepath.Join(scratch, "floor")
	build := exec.CommandContext(b.Context(), "go", "build", "-o", program, "./e2e/bench/floor")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("build the floor: %v\n%s", err, out)
	}
	setting := func(part, name string) string {
		v, err := system.Setting(part, name)
		if err != nil {
			b.Fatal(err)
		}
		return name + "=" + v
	}
	addr := freeAddr(b)
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(),
		setting(f.part, "VITAE_POSTGRES_URL"), setting("gateway", "VITAE_REDIS_URL"), "FLOOR_ADDR="+addr,
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
	ctx, cancel := context.WithTimeout(b.Context(), 30*time.Second)
	defer cancel()
	err = stack.Until(ctx, "wait for the floor", func(ctx context.Context) error {
		return get("http://"+addr+f.path, f.credential)(ctx)
	})
	if err != nil {
		b.Fatal(err)
	}
	return "http://" + addr + f.path
}

func freeAddr(b *testing.B) string {
	b.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}
