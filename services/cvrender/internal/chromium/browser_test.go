//go:build !nobrowser

package chromium_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"vitae.internal/services/cvrender/internal/chromium"
	"vitae.internal/services/cvrender/internal/pdf"
	"vitae.internal/services/cvrender/internal/template"
)

// start starts a real Chromium that runs until the test ends.
func start(t *testing.T, memory int64) *chromium.Browser {
	t.Helper()
	layout, err := template.New()
	if err != nil {
		t.Fatal(err)
	}
	b, err := chromium.Start(t.Context(), chromium.Options{
		Fonts: layout.Fonts(), MemoryLimit: memory, Log: slog.New(slog.NewTextHandler(io.Discard, nil)),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

// healthy returns a shared Chromium for tests that only print and inspect it.
func healthy(t *testing.T) *chromium.Browser {
	t.Helper()
	b, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

var (
	shared = sync.OnceValues(func() (*chromium.Browser, error) {
		layout, err := template.New()
		if err != nil {
			return nil, err
		}
		b, err := chromium.Start(context.Background(), chromium.Options{Fonts: layout.Fonts(), MemoryLimit: gib, Log: slog.New(slog.DiscardHandler)})
		if err == nil {
			closeShared = b.Close
		}
		return b, err
	})
	closeShared = func() error { return nil }
)

func TestMain(m *testing.M) {
	code := m.Run()
	if err := closeShared(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = max(code, 1)
	}
	os.Exit(code)
}

const gib = 1 << 30

const small = `<!DOCTYPE html><html lang="en"><title>Small</title><h1>Small</h1><p>a document</p></html>`

// await waits until a condition holds, at most until the deadline of the test.
func await(t *testing.T, what string, ok func() bool) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(time.Minute)
	for !ok() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatal("timed out waiting until " + what)
		}
	}
}

func TestPrintReturnsCompletePDF(t *testing.T) {
	file, err := healthy(t).Print(t.Context(), small)
	if err != nil {
		t.Fatal(err)
	}
	if err := pdf.Check(file); err != nil {
		t.Error(err)
	}
}

func TestProcessesAreUnprivilegedAndSandboxed(t *testing.T) {
	b := healthy(t)
	if _, err := b.Print(t.Context(), small); err != nil {
		t.Fatal(err)
	}
	us, _ := inspect(t, os.Getpid())
	ourNet, ourUser := us.net, us.user
	members := chromium.GroupMembers(b.Pid())
	if len(members) < 3 {
		t.Fatalf("the processes are %v, want at least a browser, a zygote and a renderer", members)
	}
	renderers := 0
	for _, pid := range members {
		p, ok := inspect(t, pid)
		if !ok {
			continue // the process from the previous print has just exited
		}
		if strings.HasPrefix(field(p.status, "Uid:"), "0\t") {
			t.Errorf("process %d runs as root", pid)
		}
		if p.net == ourNet {
			t.Errorf("process %d is in our network namespace", pid)
		}
		if strings.Contains(p.command, "--no-sandbox") {
			t.Errorf("process %d runs without sandbox", pid)
		}
		if !strings.Contains(p.command, "--type=renderer") {
			continue
		}
		renderers++
		// Seccomp 2 means that a filter is installed (proc_pid_status(5)).
		if got := field(p.status, "Seccomp:"); got != "2" {
			t.Errorf("renderer %d: Seccomp %s, want 2", pid, got)
		}
		if got := field(p.status, "NoNewPrivs:"); got != "1" {
			t.Errorf("renderer %d: NoNewPrivs %s, want 1", pid, got)
		}
		if got := field(p.status, "CapEff:"); strings.Trim(got, "0") != "" {
			t.Errorf("renderer %d has capabilities %s", pid, got)
		}
		if p.user == ourUser {
			t.Errorf("renderer %d is in our user namespace", pid)
		}
	}
	if renderers == 0 {
		t.Error("there is no renderer process")
	}
}

func TestNetworkNamespaceIsDown(t *testing.T) {
	b := healthy(t)
	routes := procFile(t, b.Pid(), "net/route")
	if lines := strings.Count(strings.TrimSpace(routes), "\n"); lines != 0 {
		t.Errorf("the namespace has routes:\n%s", routes)
	}
	for line := range strings.Lines(procFile(t, b.Pid(), "net/dev")) {
		name, _, isDevice := strings.Cut(strings.TrimSpace(line), ":")
		if isDevice && name != "lo" {
			t.Errorf("the namespace has the interface %s", name)
		}
	}
	if addresses := procFile(t, b.Pid(), "net/if_inet6"); addresses != "" {
		t.Errorf("the namespace has addresses: %s", addresses)
	}
}

func TestChromiumCannotReachLoopback(t *testing.T) {
	var hits atomic.Int32
	canary := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		hits.Add(1)
		_, _ = io.WriteString(w, "reached")
	}))
	defer canary.Close()
	b := start(t, gib)
	for _, blocked := range []bool{true, false} {
		if !blocked {
			if err := b.Unblock(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		failure, err := b.Goto(t.Context(), canary.URL)
		if err != nil {
			t.Fatal(err)
		}
		if failure == "" {
			t.Errorf("with blocked requests %t: the page loaded", blocked)
		}
	}
	if n := hits.Load(); n != 0 {
		t.Errorf("Chromium reached the canary %d times", n)
	}
	// Check that the canary does record requests.
	if res, err := http.Get(canary.URL); err != nil || hits.Load() != 1 {
		t.Errorf("the canary does not work: %v", err)
	} else {
		_ = res.Body.Close()
	}
}

func TestDebuggingUsesNoPort(t *testing.T) {
	b := healthy(t)
	for _, table := range []string{"net/tcp", "net/tcp6", "net/udp", "net/udp6"} {
		if lines := strings.Count(strings.TrimSpace(procFile(t, b.Pid(), table)), "\n"); lines != 0 {
			t.Errorf("%s lists %d sockets", table, lines)
		}
	}
}

func TestTabIsWipedAfterPrinting(t *testing.T) {
	b := healthy(t)
	secret := `<!DOCTYPE html><title>Secret</title><body id="secret-7711">secret-7711`
	if _, err := b.Print(t.Context(), secret); err != nil {
		t.Fatal(err)
	}
	text, err := b.Text(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(text, "secret") || strings.Contains(text, "Secret") {
		t.Errorf("the tab still contains %s", text)
	}
	file, err := b.Print(t.Context(), `<!DOCTYPE html><p>next</p>`)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(file, []byte("Secret")) {
		t.Error("the next PDF has the title of the previous one")
	}
}

func TestScriptsDoNotRun(t *testing.T) {
	b := healthy(t)
	file, err := b.Print(t.Context(), `<!DOCTYPE html><title>quiet</title><p>x</p><script>document.title = "loud"</script>`)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(file, []byte("/Title (quiet)")) {
		t.Error("a script changed the title")
	}
}

func TestCloseLeavesNoProcessesOrFiles(t *testing.T) {
	b := start(t, gib)
	members := chromium.GroupMembers(b.Pid())
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	for _, pid := range members {
		await(t, "process "+strconv.Itoa(pid)+" ends", func() bool { return dead(pid) })
	}
	if _, err := os.Stat(b.Home()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("files remain in %s: %v", b.Home(), err)
	}
}

func TestKilledChromiumLeavesNoChildren(t *testing.T) {
	b := start(t, gib)
	members := chromium.GroupMembers(b.Pid())
	for _, pid := range members {
		if pid != b.Pid() {
			_ = syscall.Kill(pid, syscall.SIGSTOP)
		}
	}
	if err := syscall.Kill(b.Pid(), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	<-b.Gone()
	for _, pid := range members {
		await(t, "process "+strconv.Itoa(pid)+" ends", func() bool { return dead(pid) })
	}
	_, err := b.Print(t.Context(), small)
	if !errors.Is(err, chromium.ErrLost) {
		t.Errorf("Print returned %v, want ErrLost", err)
	}
	if lost := (interface{ Lost() bool })(nil); !errors.As(err, &lost) || !lost.Lost() {
		t.Errorf("%v does not report a lost browser", err)
	}
}

func TestFrozenChromiumStopsAtDeadline(t *testing.T) {
	b := start(t, gib)
	if err := syscall.Kill(-b.Pid(), syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	if err := b.Ping(t.Context(), 50*time.Millisecond); !errors.Is(err, chromium.ErrLost) {
		t.Errorf("Ping returned %v, want ErrLost", err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := b.Print(ctx, small); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Print returned %v, want the deadline", err)
	}
	<-b.Gone()
}

func TestMemoryLimitStopsDocument(t *testing.T) {
	b := start(t, 1) // any document exceeds this limit when it is first measured
	endless := `<!DOCTYPE html><title>Large</title>` + strings.Repeat("<table><tr><td><p>much <i>more</i> text</p></td></tr></table>", 60_000)
	if _, err := b.Print(t.Context(), endless); !errors.Is(err, chromium.ErrMemory) {
		t.Errorf("Print returned %v, want ErrMemory", err)
	}
	<-b.Gone()
}

func TestStartStopsWithContext(t *testing.T) {
	layout, err := template.New()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = chromium.Start(ctx, chromium.Options{Fonts: layout.Fonts(), MemoryLimit: gib, Log: slog.New(slog.DiscardHandler)})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Start returned %v, want the cancellation", err)
	}
}

func TestStartReportsMissingProgram(t *testing.T) {
	_, err := chromium.Start(t.Context(), chromium.Options{Path: filepath.Join(t.TempDir(), "none")})
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Start returned %v, want not found", err)
	}
}

func TestSweepRemovesOnlyAbandonedHomes(t *testing.T) {
	tmp, err := os.MkdirTemp("/tmp", "cvrt")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(tmp) })
	if err := os.Chmod(tmp, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", tmp)
	b := start(t, gib)
	// The home of a killed process looks like that of a live process, but is not locked.
	left := filepath.Join(tmp, "vitae-cvr-left")
	if err := os.CopyFS(left, os.DirFS(filepath.Join(b.Home(), "fonts"))); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(left, "lock"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	owner := chromium.Owner(t, b.Home())
	young, foreign := filepath.Join(tmp, "vitae-cvr-young"), filepath.Join(tmp, "other")
	for _, dir := range []string{young, foreign} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, dir := range []string{left, young, foreign} {
		if err := os.Chown(dir, owner, -1); err != nil {
			t.Fatal(err)
		}
	}
	chromium.Sweep(slog.New(slog.DiscardHandler))
	if _, err := os.Stat(left); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%s still exists: %v", left, err)
	}
	for _, dir := range []string{b.Home(), young, foreign} {
		if _, err := os.Stat(dir); err != nil {
			t.Errorf("a home in use was removed: %v", err)
		}
	}
	if _, err := b.Print(t.Context(), small); err != nil {
		t.Errorf("the running Chromium was affected: %v", err)
	}
}

func TestProfileIsPrivate(t *testing.T) {
	b := healthy(t)
	info, err := os.Stat(b.Home())
	if err != nil {
		t.Fatal(err)
	}
	if mode := info.Mode().Perm(); mode != 0o700 {
		t.Errorf("the mode is %o, want 700", mode)
	}
}

func procFile(t *testing.T, pid int, name string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), name))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// seen is the state of a process according to /proc.
type seen struct{ status, command, net, user string }

// inspect reads the state of a process. It returns false if the process has exited.
func inspect(t *testing.T, pid int) (seen, bool) {
	t.Helper()
	dir := filepath.Join("/proc", strconv.Itoa(pid))
	status, err1 := os.ReadFile(filepath.Join(dir, "status"))
	command, err2 := os.ReadFile(filepath.Join(dir, "cmdline"))
	net, err3 := os.Readlink(filepath.Join(dir, "ns", "net"))
	user, err4 := os.Readlink(filepath.Join(dir, "ns", "user"))
	err := errors.Join(err1, err2, err3, err4)
	if err != nil && !errors.Is(err, os.ErrNotExist) && !errors.Is(err, syscall.ESRCH) {
		t.Fatal(err)
	}
	return seen{string(status), string(command), net, user}, err == nil
}

func field(status, name string) string {
	for line := range strings.Lines(status) {
		if rest, ok := strings.CutPrefix(line, name); ok {
			return strings.TrimSpace(rest)
		}
	}
	return ""
}

// dead reports whether a process has exited. Zombies count as exited.
func dead(pid int) bool {
	b, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return true
	}
	return bytes.HasPrefix(b[bytes.LastIndexByte(b, ')')+1:], []byte(" Z"))
}
