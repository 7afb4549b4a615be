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

// Goto has the tab open an address, as nothing outside tests can, and gives
// Chromium's error text.
func (b *Browser) Goto(ctx context.Context, address string) (string, error) {
	res, err := cdp.Call(ctx, b.tab, page.Navigate, page.NavigateParams{URL: address})
	return res.ErrorText, err
}

// Text is what the tab shows.
func (b *Browser) Text(ctx context.Context) (string, error) {
	res, err := cdp.Call(ctx, b.tab, runtime.Evaluate,
		runtime.EvaluateParams{Expression: "document.documentElement.outerHTML", ReturnByValue: new(true)})
	return string(res.Result.Value), err
}

// Unblock takes away the list of blocked requests, so that a test can see what
// the network namespace alone does.
func (b *Browser) Unblock(ctx context.Context) error { return b.block(ctx, nil) }

// Home is the directory of the browser's files.
func (b *Browser) Home() string { return b.process.home }

// GroupMembers lists the processes of a process group.
var GroupMembers = groupMembers

// Owner is the user id that a path belongs to.
func Owner(t *testing.T, path string) int {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return int(info.Sys().(*syscall.Stat_t).Uid)
}
