package chromium

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"sync"
	"syscall"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/css"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/emulation"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

const killSignal = syscall.SIGKILL

// ErrLost means that the browser has exited or does not respond. A different browser may succeed.
// Package render recognizes this error by its method Lost.
var ErrLost error = lostError{}

type lostError struct{}

func (lostError) Error() string { return "chromium: lost" }

// Lost reports that the browser has failed, rather than the document.
func (lostError) Lost() bool { return true }

// Options configures a Browser. All fields except Path are required.
type Options struct {
	// Path is the path of the program. If it is empty, Start searches for the program.
	Path string
	// Fonts are the only fonts that Chromium can use.
	Fonts fs.FS
	// MemoryLimit is the maximum memory, in bytes, of the whole process group, not including shared
	// files. Chromium is killed if it exceeds the limit.
	MemoryLimit int64
	Log         *slog.Logger
}

// Browser is a Chromium process with one tab. All methods except Print are safe for concurrent use.
type Browser struct {
	process *process
	driver  *chromedp.Browser
	tab     *chromedp.Target
	frame   cdp.FrameID
	version string
	limit   int64
	cancel  context.CancelFunc
	close   sync.Once
	err     error
}

// Start starts Chromium and opens its tab. ctx limits only how long starting may take, not the life
// of the browser.
func Start(ctx context.Context, o Options) (*Browser, error) {
	path, err := Find(o.Path)
	if err != nil {
		return nil, err
	}
	if o.Fonts == nil || o.MemoryLimit <= 0 || o.Log == nil {
		return nil, errors.New("chromium: Fonts, MemoryLimit and Log are required")
	}
	acct, err := chooseAccount()
	if err != nil {
		return nil, err
	}
	home, err := makeHome(o.Fonts, acct)
	if err != nil {
		return nil, err
	}
	lock, err := lockHome(home)
	if err != nil {
		return nil, errors.Join(err, removeHome(home))
	}
	p, err := startProcess(path, home, acct)
	if err != nil {
		return nil, errors.Join(err, lock.Close(), removeHome(home))
	}
	p.lock = lock
	b := &Browser{process: p, limit: o.MemoryLimit}
	// The first call binds chromedp's reader to the call's context, so this context must live as
	// long as the browser.
	life, cancel := context.WithCancel(context.Background())
	b.cancel = cancel
	stopAtEnd := context.AfterFunc(ctx, func() { _ = p.stop() })
	err = b.connect(life, o.Log)
	if !stopAtEnd() {
		err = errors.Join(ctx.Err(), err)
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%w: start: %w: %s", ErrLost, err, p.output), b.Close())
	}
	return b, nil
}

// connect attaches to the tab that Chromium has opened, and restricts it.
func (b *Browser) connect(life context.Context, log *slog.Logger) error {
	quiet := chromedp.WithBrowserOption(
		chromedp.WithBrowserLogf(func(f string, a ...any) { log.Debug("chromium", "message", fmt.Sprintf(f, a...)) }),
		chromedp.WithBrowserErrorf(func(f string, a ...any) { log.Debug("chromium", "error", fmt.Sprintf(f, a...)) }),
	)
	alloc, _ := chromedp.NewAllocatorContext(life, attacher{b.process})
	root, _ := chromedp.NewContext(alloc, quiet)
	version, err := chromedp.CallBrowser(root, browser.GetVersion, cdp.Empty{})
	if err != nil {
		return err
	}
	b.version = version.Product
	b.driver = chromedp.FromContext(root).Browser
	id, err := b.firstTab(root)
	if err != nil {
		return err
	}
	tab, _ := chromedp.NewContext(root, chromedp.WithTargetID(id))
	if err := chromedp.Do(tab); err != nil {
		return err
	}
	b.tab = chromedp.FromContext(tab).Target
	return b.lockDown(tab)
}

// firstTab waits for the tab that Chromium opens when it starts.
func (b *Browser) firstTab(ctx context.Context) (target.ID, error) {
	created := cdp.Events(ctx, b.driver, target.TargetCreated)
	_, err := cdp.Call(ctx, b.driver, target.SetDiscoverTargets, target.SetDiscoverTargetsParams{Discover: true})
	if err != nil {
		return "", err
	}
	for ev, err := range created {
		if err != nil {
			return "", err
		}
		if ev.TargetInfo.Type == "page" {
			return ev.TargetInfo.TargetID, nil
		}
	}
	return "", errors.New("the connection ended before a tab was there")
}

// lockDown disables scripts and requests. It also disables the events that chromedp has enabled,
// because tracking the DOM of a long document costs more than printing it.
func (b *Browser) lockDown(ctx context.Context) error {
	tree, err := cdp.Call(ctx, b.tab, page.GetFrameTree, cdp.Empty{})
	if err != nil {
		return err
	}
	b.frame = tree.FrameTree.Frame.ID
	if _, err := cdp.Call(ctx, b.driver, browser.SetDownloadBehavior,
		browser.SetDownloadBehaviorParams{Behavior: browser.SetDownloadBehaviorBehaviorDeny}); err != nil {
		return err
	}
	if _, err := cdp.Call(ctx, b.tab, emulation.SetScriptExecutionDisabled,
		emulation.SetScriptExecutionDisabledParams{Value: true}); err != nil {
		return err
	}
	if err := b.block(ctx, blocked); err != nil {
		return err
	}
	for _, off := range []cdp.Command[cdp.Empty, cdp.Empty]{dom.Disable, css.Disable, cdplog.Disable} {
		if _, err := cdp.Call(ctx, b.tab, off, cdp.Empty{}); err != nil {
			return err
		}
	}
	return nil
}

func (b *Browser) block(ctx context.Context, what []*network.BlockPattern) error {
	_, err := cdp.Call(ctx, b.tab, network.SetBlockedURLs, network.SetBlockedURLsParams{URLPatterns: what})
	return err
}

// blocked matches all requests that leave the document. The network namespace is a second barrier.
var blocked = []*network.BlockPattern{
	{URLPattern: "http://*:*/*", Block: true},
	{URLPattern: "https://*:*/*", Block: true},
	{URLPattern: "ws://*:*/*", Block: true},
	{URLPattern: "wss://*:*/*", Block: true},
	{URLPattern: "ftp://*:*/*", Block: true},
	{URLPattern: "file:///*", Block: true},
}

// Version identifies everything that determines the bytes of a PDF, except the document. It
// consists of the versions of Chromium and of the system's fonts, for example "Chrome/156.0.8078.79
// fonts/91d2c5e0b7a3f846".
func (b *Browser) Version() string { return b.version }

// Pid returns the id of Chromium's first process, which is also the id of the process group.
func (b *Browser) Pid() int { return b.process.child.Pid() }

// Gone returns a channel that is closed when Chromium's first process has exited.
func (b *Browser) Gone() <-chan struct{} { return b.process.child.Done() }

// Ping checks that the tab responds within d.
func (b *Browser) Ping(ctx context.Context, d time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, d)
	defer cancel()
	if _, err := cdp.Call(ctx, b.tab, page.GetFrameTree, cdp.Empty{}); err != nil {
		return fmt.Errorf("%w: no sign of life: %w", ErrLost, err)
	}
	return nil
}

// Close kills Chromium and all processes that it has started, and removes its files.
func (b *Browser) Close() error {
	b.close.Do(func() {
		b.err = b.process.stop()
		b.cancel()
	})
	return b.err
}
