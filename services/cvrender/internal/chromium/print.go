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

// wipeTimeout bounds throwing a document away. A tab that cannot do it in this
// time is broken.
const wipeTimeout = 5 * time.Second

// blank is what the tab holds between two documents.
const blank = "<!DOCTYPE html><title></title>"

// Print lays out an HTML document and gives it as a tagged PDF with an outline;
// the paper is what the document's CSS says. When it returns, the tab holds
// nothing of the document. After any error the browser is closed, for nobody
// knows what state it is in.
//
// Errors: ErrLost when the browser went away or broke, ErrMemory when the
// document needed too much of it, ctx's when that ended.
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

// wipe replaces the document by a blank one, so that nothing of one person's CV
// is there for the next. Going to about:blank would do the same in four times
// the time. It is not cut short by a caller who has gone away: a tab that was not
// wiped would have to be thrown away.
func (b *Browser) wipe(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), wipeTimeout)
	defer cancel()
	if err := b.show(ctx, blank); err != nil {
		return fmt.Errorf("%w: wipe: %w", ErrLost, err)
	}
	return nil
}

// show replaces the tab's document and waits until the new one and its pictures
// are there.
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

// cause says why a step failed: because of ctx when that has ended, otherwise
// because of the browser.
func cause(ctx context.Context, step string, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("chromium: %s: %w", step, context.Cause(ctx))
	}
	return fmt.Errorf("%w: %s: %w", ErrLost, step, err)
}
