package faults_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/load"
	"vitae.internal/e2e/internal/partner"
)

// pdfWatch reads PDFs and checks them.
type pdfWatch struct {
	*scene
	whole, refused atomic.Int64

	mu sync.Mutex
	// texts holds the checked PDFs by ETag.
	texts map[string]string
}

// run reads PDFs from every replica, with a token and through the durable link, and everything else
// that a partner may read.
func (w *pdfWatch) run(t *testing.T) (stop func()) {
	t.Helper()
	link := w.link(t)
	return w.Every(t, func(each func(time.Duration, func(context.Context))) {
		for edge, base := range w.BaseURLs {
			each(pdfEvery, func(ctx context.Context) { w.readPDF(ctx, t, base+"/v1/me/cv.pdf", w.Token) })
			each(pdfEvery, func(ctx context.Context) { w.readPDF(ctx, t, base+link, "") })
			for _, r := range w.Reads() {
				each(4*readEvery, func(ctx context.Context) { w.Read(ctx, r, edge) })
			}
		}
	})
}

// link returns the path of the durable link to the CV of the person who stays connected.
func (c *scene) link(t *testing.T) string {
	t.Helper()
	a := expect.Must(partner.Get(t.Context(), c.BaseURLs[0]+"/v1/me/cv", c.Token))(t)
	body := expect.Must(a.JSON())(t)
	data, _ := body["data"].(map[string]any)
	pdf, _ := data["pdf"].(map[string]any)
	url, _ := pdf["url"].(string)
	path, ok := strings.CutPrefix(url, c.BaseURLs[0])
	if !ok {
		t.Fatalf("no durable link: %s", a)
	}
	return path
}

func (w *pdfWatch) readPDF(ctx context.Context, t *testing.T, url, token string) {
	a, err := partner.Get(ctx, url, token)
	switch {
	case err != nil: // includes truncated responses
		w.Broken("PDF: incomplete response: %v", err)
	case a.Status == http.StatusServiceUnavailable:
		w.refused.Add(1)
		if a.Header.Get("Retry-After") == "" || a.Code() != "SERVICE_UNAVAILABLE" {
			w.Broken("PDF: 503 %s, Retry-After %q", a.Code(), a.Header.Get("Retry-After"))
		}
	case a.Status != http.StatusOK:
		w.Broken("PDF: %s", a)
	default:
		if err := w.check(t, a); err != nil {
			w.Broken("PDF: %v", err)
		}
		w.whole.Add(1)
	}
}

// check returns an error unless the response is a complete PDF. Poppler reads each document once; later
// responses with the same ETag must have the same bytes.
func (w *pdfWatch) check(t *testing.T, a partner.Response) error {
	body, n := a.Body, strconv.Itoa(len(a.Body))
	if !bytes.HasPrefix(body, []byte("%PDF-")) || !bytes.HasSuffix(bytes.TrimSpace(body), []byte("%%EOF")) ||
		a.Header.Get("Content-Length") != n || a.Header.Get("Content-Type") != "application/pdf" {
		return fmt.Errorf("%s bytes, not a complete PDF: %.40q … %.20q, %v", n, body, body[max(0, len(body)-20):], a.Header)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	seen, ok := w.texts[a.Header.Get("ETag")]
	if ok && seen == string(body) {
		return nil
	}
	if ok {
		return fmt.Errorf("different documents with the same ETag")
	}
	w.texts[a.Header.Get("ETag")] = string(body)
	text, err := popplerText(t, body)
	if err == nil && !strings.Contains(text, "Layla Haddad") {
		err = fmt.Errorf("the PDF has the text %q", text)
	}
	return err
}

// popplerText returns the text of a PDF. It returns an error if Poppler prints a warning.
func popplerText(t *testing.T, pdf []byte) (string, error) {
	file := filepath.Join(t.TempDir(), "cv.pdf")
	if err := os.WriteFile(file, pdf, 0o600); err != nil {
		return "", err
	}
	var stderr bytes.Buffer
	cmd := exec.CommandContext(t.Context(), "pdftotext", file, "-")
	cmd.Stderr = &stderr
	text, err := cmd.Output()
	if err == nil && stderr.Len() > 0 {
		err = fmt.Errorf("%s", stderr.String())
	}
	return string(text), err
}

// awaitWhole waits for more complete PDFs.
func (w *pdfWatch) awaitWhole(t *testing.T, more int64) { load.Await(t, "PDFs", &w.whole, more) }

// awaitRefused waits for more refused PDFs.
func (w *pdfWatch) awaitRefused(t *testing.T, more int64) {
	load.Await(t, "refused PDFs", &w.refused, more)
}
