// Package chromiumtest gives the tests of a package one Chromium: to start one costs more than
// most tests. Every test has a browser context, which is a profile of its own.
//
// Every test package that uses it has
//
//	func TestMain(m *testing.M) { chromiumtest.Main(m) }
//
// It must never be linked into a binary other than tests.
package chromiumtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// patience ends a test whose browser hangs. No test measures time by it.
const patience = 4 * time.Minute

// stopTimeout is how long Chromium may take to end before it is killed.
const stopTimeout = 30 * time.Second

// browser is the Chromium of this test binary. It is started at its first use. Should the
// binary end without Main, the kernel kills it (chromedp sets Pdeathsig).
var browser = sync.OnceValues(start)

// stop stops the Chromium, if there is one.
var stop = func() error { return nil }

func start() (context.Context, error) {
	profile, err := os.MkdirTemp("", "vitae-chromium-")
	if err != nil {
		return nil, err
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.NoSandbox, // it opens only the pages under test
		chromedp.UserDataDir(profile),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"),
	)
	allocator, cancelAllocator := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, cancel := chromedp.NewContext(allocator)
	if err := chromedp.Do(ctx); err != nil {
		cancelAllocator()
		return nil, errors.Join(err, os.RemoveAll(profile))
	}
	stop = func() error {
		limited, release := context.WithTimeout(ctx, stopTimeout)
		defer release()
		_ = chromedp.Cancel(limited) // asks it to end, and kills it if it does not
		cancel()
		cancelAllocator() // waits until the process has ended
		return os.RemoveAll(profile)
	}
	return ctx, nil
}

// Main runs the tests of a package, stops their Chromium, and ends the process.
func Main(m *testing.M) {
	code := m.Run()
	if err := stop(); err != nil {
		fmt.Fprintln(os.Stderr, "chromiumtest:", err)
		code = max(code, 1)
	}
	os.Exit(code)
}

// Open opens a tab with an empty profile, which ends with the test. The tab has the focus
// whatever other tests do in theirs.
func Open(t *testing.T) context.Context {
	t.Helper()
	shared, err := browser()
	if err != nil {
		t.Fatal(err)
	}
	limited, release := context.WithTimeout(shared, patience)
	ctx, cancel := chromedp.NewContext(limited, chromedp.WithNewBrowserContext())
	t.Cleanup(func() {
		cancel() // waits until the tab is closed
		release()
	})
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(1280, 900)); err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Call(ctx, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}); err != nil {
		t.Fatal(err)
	}
	return ctx
}
