package chromium

import (
	"context"
	"os"
	"syscall"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
)

// Goto opens a URL in the tab and returns Chromium's error text. Only tests can do this.
func (b *Browser) Goto(ctx context.Context, address string) (string, error) {
	res, err := cdp.Call(ctx, b.tab, page.Navigate, page.NavigateParams{URL: address})
	return res.ErrorText, err
}

// Text returns the text in the tab.
func (b *Browser) Text(ctx context.Context) (string, error) {
	res, err := cdp.Call(ctx, b.tab, runtime.Evaluate,
		runtime.EvaluateParams{Expression: "document.documentElement.outerHTML", ReturnByValue: new(true)})
	return string(res.Result.Value), err
}

// Unblock removes the list of blocked requests, so a test can check the network namespace on its
// own.
func (b *Browser) Unblock(ctx context.Context) error { return b.block(ctx, nil) }

// Home returns the directory that contains the browser's files.
func (b *Browser) Home() string { return b.process.home }

// GroupMembers lists the processes of a process group.
var GroupMembers = groupMembers

// Owner returns the user ID of the owner of a path.
func Owner(t *testing.T, path string) int {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return int(info.Sys().(*syscall.Stat_t).Uid)
}
