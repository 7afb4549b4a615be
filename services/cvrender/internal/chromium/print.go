package chromium

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// wipeTimeout limits how long removing a document may take. A tab that takes longer is considered
// broken.
const wipeTimeout = 5 * time.Second

// blank is the document that the tab shows between CVs.
const blank = "<!DOCTYPE html><title></title>"

// Print prints an HTML document to a tagged PDF with an outline. The document's CSS determines the
// paper size. When Print returns, the tab no longer contains the document. If Print fails, it
// closes the browser, because the browser's state is unknown.
//
// It returns ErrLost if the browser has exited or failed, ErrMemory if the document needs too much
// memory, and ctx.Err() if ctx is done.
func (b *Browser) Print(ctx context.Context, html string) ([]byte, error) {
	pdf, err := b.print(ctx, html)
	if err == nil {
		err = b.wipe(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return pdf, nil
}

func (b *Browser) print(ctx context.Context, html string) ([]byte, error) {
	ctx, done := b.guardMemory(ctx)
	defer done()
	if err := b.show(ctx, html); err != nil {
		return nil, err
	}
	yes := true
	res, err := cdp.Call(ctx, b.tab, page.PrintToPDF, page.PrintToPDFParams{
		PrintBackground:         &yes,
		PreferCSSPageSize:       &yes,
		GenerateTaggedPDF:       &yes,
		GenerateDocumentOutline: &yes,
		PaperWidth:              chromedp.PaperA4.Width,
		PaperHeight:             chromedp.PaperA4.Height,
	})
	if err != nil {
		return nil, cause(ctx, "print", err)
	}
	return res.Data, nil
}

// wipe replaces the document with a blank one, so nothing of a CV is left when the next one is
// printed. Navigating to about:blank would take four times as long. wipe continues even if the
// caller cancels, because a tab that has not been wiped could not be used again.
func (b *Browser) wipe(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), wipeTimeout)
	defer cancel()
	if err := b.show(ctx, blank); err != nil {
		return fmt.Errorf("%w: wipe: %w", ErrLost, err)
	}
	return nil
}

// show replaces the tab's document and waits until the new document and its images have loaded.
func (b *Browser) show(ctx context.Context, html string) error {
	loaded, unsubscribe := b.tab.Subscribe(page.LoadEventFired.Method)
	defer unsubscribe()
	_, err := cdp.Call(ctx, b.tab, page.SetDocumentContent, page.SetDocumentContentParams{FrameID: b.frame, HTML: html})
	if err != nil {
		return cause(ctx, "load", err)
	}
	select {
	case _, ok := <-loaded:
		if !ok {
			return cause(ctx, "load", errors.New("the connection ended"))
		}
		return nil
	case <-b.driver.LostConnection:
		return cause(ctx, "load", errors.New("the connection ended"))
	case <-ctx.Done():
		return cause(ctx, "load", ctx.Err())
	}
}

// cause returns the error for a failed step. It wraps the cause of ctx if ctx is done, and ErrLost
// otherwise.
func cause(ctx context.Context, step string, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("chromium: %s: %w", step, context.Cause(ctx))
	}
	return fmt.Errorf("%w: %s: %w", ErrLost, step, err)
}
