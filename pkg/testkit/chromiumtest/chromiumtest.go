// Package chromiumtest starts one Chromium for all tests in a binary, because starting it takes
// longer than most tests. Each test gets its own browser context, with its own cookies, storage and
// permissions.
package chromiumtest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"vitae.internal/pkg/testkit"
)

// fonts is the directory with the product's fonts, relative to the root of the clone.
const fonts = "services/cvrender/internal/template/fonts"

// headless is Debian's Chromium without a user interface. It renders the same pages with about half
// the CPU time.
const headless = "/usr/lib/chromium/chromium-headless-shell"

// guard starts Chromium, kills it when the pipe on file descriptor 5 closes, and removes its
// folder. The kernel closes the pipe however the test process exits, even if it panics or is
// killed, so no TestMain is needed. Descriptors 3 and 4 are the pipes that control Chromium; the
// guard closes its own copies, so that the tests notice when Chromium exits.
const guard = `folder=$1; shift
"$@" 5<&- &
chromium=$!
exec 3<&- 4>&- >/dev/null 2>&1
{ read -r _; kill -9 $chromium; } <&5 &
wait $chromium; status=$?
kill $!
rm -rf "$folder" || rm -rf "$folder"
exit $status`

// fontsConf is a fontconfig with the fonts in one folder only, so that pages look the same on every
// machine.
const fontsConf = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig><dir>%s</dir><cachedir>%s</cachedir></fontconfig>
`

// shared returns the Chromium of this binary. The first call starts it.
var shared = sync.OnceValues(start)

// Open opens a tab in a new browser context, with a window of 1280 × 900 CSS pixels. The tab is
// closed when the test ends. It is always focused, regardless of what other tests do in their tabs.
func Open(t testing.TB) context.Context {
	t.Helper()
	browser, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := chromedp.NewContext(browser, chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(1280, 900)); err != nil {
		t.Fatalf("chromiumtest: %v", err)
	}
	if _, err := chromedp.Call(ctx, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}); err != nil {
		t.Fatalf("chromiumtest: %v", err)
	}
	return ctx
}

func start() (context.Context, error) {
	root, err := testkit.Root()
	if err != nil {
		return nil, err
	}
	folder, err := os.MkdirTemp("", "vitae-chromium-")
	if err != nil {
		return nil, err
	}
	ctx, err := startIn(folder, filepath.Join(root, fonts))
	if err != nil {
		_ = os.RemoveAll(folder)
		return nil, fmt.Errorf("start Chromium: %w", err)
	}
	return ctx, nil
}

func startIn(folder, fonts string) (context.Context, error) {
	// Without fonts, Chromium draws no text, and every layout test would pass.
	if files, err := filepath.Glob(filepath.Join(fonts, "*.ttf")); err != nil || len(files) == 0 {
		return nil, fmt.Errorf("no fonts in %s", fonts)
	}
	conf := filepath.Join(folder, "fonts.conf")
	if err := os.WriteFile(conf, fmt.Appendf(nil, fontsConf, fonts, filepath.Join(folder, "fonts")), 0o644); err != nil {
		return nil, err
	}
	// Use a file descriptor instead of an os.File, which would be closed when it is
	// garbage-collected. The write end must stay open until the process exits.
	var pipe [2]int
	if err := syscall.Pipe2(pipe[:], syscall.O_CLOEXEC); err != nil {
		return nil, err
	}
	end := os.NewFile(uintptr(pipe[0]), "guard")
	defer end.Close() // the guard has its own copy
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.NoSandbox, // the tests may run as root, and they open only the pages under test
		chromedp.UserDataDir(filepath.Join(folder, "profile")),
		chromedp.Env("FONTCONFIG_FILE="+conf, "TMPDIR="+folder),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-gpu", true),
		chromedp.Flag("disable-quic", true),
		// The first two features are disabled by chromedp itself. The last one makes Chromium keep
		// a spare process.
		chromedp.Flag("disable-features", "Translate,BlinkGenPropertyTrees,SpareRendererForSitePerProcess"),
		// The tests must not fetch photos from third-party servers.
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"),
		chromedp.ModifyCmdFunc(func(cmd *exec.Cmd) {
			cmd.Args = append([]string{"sh", "-c", guard, "sh", folder, cmd.Path}, cmd.Args[1:]...)
			cmd.Path = "/bin/sh"
			cmd.ExtraFiles = append(cmd.ExtraFiles, end)
			// Ctrl-C in the terminal must not stop the guard before Chromium.
			cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
		}),
	)
	if _, err := os.Stat(headless); err == nil {
		options = append(options, chromedp.ExecPath(headless))
	}
	allocator, cancel := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, _ := chromedp.NewContext(allocator) // open until the process exits
	if err := chromedp.Do(ctx); err != nil {
		cancel()
		return nil, err
	}
	return ctx, nil
}
