package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/css"
	"github.com/chromedp/cdproto/dom"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/pkg/testkit"
)

// fontsConf is a fontconfig configuration with a folder of fonts and a folder for the cache.
const fontsConf = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig><dir>%s</dir><cachedir>%s</cachedir></fontconfig>
`

// bareTab starts a Chromium with one tab, and returns a function that prints the person's CV in it. It uses
// cvrender's document, fonts and print options, but no other part of cvrender. This is the minimum cost of a
// PDF.
func bareTab(b *testing.B, s scene.Connected) func(context.Context) error {
	b.Helper()
	folder := b.TempDir()
	html := documentOf(b, s, folder)
	conf := filepath.Join(folder, "fonts.conf")
	text := fmt.Sprintf(fontsConf, filepath.Join(folder, "fonts"), filepath.Join(folder, "cache"))
	if err := os.WriteFile(conf, []byte(text), 0o644); err != nil {
		b.Fatal(err)
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.NoSandbox, // the benchmarks may run as root; the tab shows only our document
		chromedp.UserDataDir(filepath.Join(folder, "profile")),
		chromedp.Env("FONTCONFIG_FILE="+conf),
		chromedp.Flag("disable-component-update", true),
		chromedp.Flag("disable-quic", true),
	)
	allocator, cancelAllocator := chromedp.NewExecAllocator(context.Background(), options...)
	life, cancel := chromedp.NewContext(allocator)
	b.Cleanup(func() {
		_ = chromedp.Cancel(life) // waits until Chromium exits
		cancel()
		cancelAllocator()
	})
	if err := chromedp.Do(life); err != nil {
		b.Fatal(err)
	}
	tab := chromedp.FromContext(life).Target
	// chromedp enables these domains, which would cost as much as printing.
	for _, off := range []cdp.Command[cdp.Empty, cdp.Empty]{dom.Disable, css.Disable, cdplog.Disable} {
		expect.Must(cdp.Call(life, tab, off, cdp.Empty{}))(b)
	}
	frame := expect.Must(cdp.Call(life, tab, page.GetFrameTree, cdp.Empty{}))(b).FrameTree.Frame.ID
	return func(ctx context.Context) error { return printIn(ctx, tab, frame, html) }
}

// printIn loads a document into a tab and prints it.
func printIn(ctx context.Context, tab *chromedp.Target, frame cdp.FrameID, html string) error {
	loaded, unsubscribe := tab.Subscribe(page.LoadEventFired.Method)
	defer unsubscribe()
	if _, err := cdp.Call(ctx, tab, page.SetDocumentContent, page.SetDocumentContentParams{FrameID: frame, HTML: html}); err != nil {
		return err
	}
	select {
	case <-loaded:
	case <-ctx.Done():
		return ctx.Err()
	}
	yes := true
	printed, err := cdp.Call(ctx, tab, page.PrintToPDF, page.PrintToPDFParams{
		PrintBackground: &yes, PreferCSSPageSize: &yes, GenerateTaggedPDF: &yes, GenerateDocumentOutline: &yes,
		PaperWidth: chromedp.PaperA4.Width, PaperHeight: chromedp.PaperA4.Height,
	})
	if err == nil && !bytes.HasPrefix(printed.Data, []byte("%PDF-")) {
		err = errors.New("the printed file is not a PDF")
	}
	return err
}

// documentOf returns the HTML document from which the person's PDF is printed. It writes the fonts to the
// folder.
func documentOf(b *testing.B, s scene.Connected, folder string) string {
	b.Helper()
	program := filepath.Join(suite.Scratch, "cvhtml")
	build := exec.CommandContext(b.Context(), "go", "build", "-o", program, "./services/cvrender/internal/cvhtml")
	build.Dir = expect.Must(testkit.Root())(b)
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("build cvhtml: %v\n%s", err, out)
	}
	res := expect.Must(partner.Get(b.Context(), s.App.BaseURL+"/v1/me/cv", s.Tokens.Access))(b)
	cmd := exec.CommandContext(b.Context(), program, folder)
	cmd.Stdin = bytes.NewReader(res.Body)
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("cvhtml: %v\n%s", err, out)
	}
	return string(expect.Must(os.ReadFile(filepath.Join(folder, "cv.html")))(b))
}
