package render

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"vitae.internal/pkg/errs"
	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
	"vitae.internal/services/cvrender/internal/template"
)

// Document is a finished PDF.
type Document struct {
	// ETag identifies the bytes. It is not quoted.
	ETag string
	PDF  []byte
}

// Photos returns the photo at a URL, ready to be inserted in the document. The work counts against the share.
type Photos interface {
	Get(ctx context.Context, share, address string) ([]byte, error)
}

// Layout converts a CV to an HTML document.
type Layout interface {
	HTML(c *cvv1.SharedCv, name template.Name, photo []byte) (string, error)
	FontsHash() string
}

type Request struct {
	CV       *cvv1.SharedCv
	Template template.Name
	// Share is the share against which the work counts.
	Share string
	// Known lists the ETags of PDFs that the caller already has.
	Known []string
}

type Result struct {
	// Document has no bytes if NotModified is true.
	Document
	// NotModified reports whether the caller already has the bytes.
	NotModified bool
	// Filename is the file name for the download.
	Filename string
}

// Service renders CVs.
type Service struct {
	layout Layout
	photos Photos
	pool   *Pool
	shares *shares
	// revision is part of the ETag of every PDF.
	revision string
	log      *slog.Logger
}

// Config holds the dependencies of a Service. All are required.
type Config struct {
	Layout Layout
	Photos Photos
	Pool   *Pool
	// PerShare is the maximum number of concurrent requests per share.
	PerShare int
	// Revision identifies the code that determines the bytes of a PDF. It does not cover the document, the
	// fonts and the browser.
	Revision string
	Log      *slog.Logger
}

// NewService returns a Service.
func NewService(c Config) (*Service, error) {
	if c.Layout == nil || c.Photos == nil || c.Pool == nil || c.PerShare < 1 || c.Revision == "" || c.Log == nil {
		return nil, errors.New("render: Layout, Photos, Pool, PerShare, Revision and Log are required")
	}
	return &Service{layout: c.Layout, photos: c.Photos, pool: c.Pool, shares: newShares(c.PerShare), revision: c.Revision, log: c.Log}, nil
}

// Render returns the PDF of a CV. It returns SERVICE_UNAVAILABLE if it cannot. The kind of this error is
// Exhausted if the share has too many concurrent requests, and Unavailable if the queue is full or Chromium
// cannot currently print.
func (s *Service) Render(ctx context.Context, r Request) (Result, error) {
	leave, ok := s.shares.enter(r.Share)
	if !ok {
		return Result{}, errs.New(errs.Exhausted, errs.CodeUnavailable, "Too many CVs of this person are being rendered now.").
			WithRetryAfter(2 * time.Second)
	}
	defer leave()
	document := r.CV.GetDocument()
	photo, err := s.photo(ctx, r.Share, document.GetAvatarUrl().GetValue())
	if err != nil {
		return Result{}, err
	}
	html, err := s.layout.HTML(r.CV, r.Template, photo)
	if err != nil {
		return Result{}, err
	}
	version, err := s.pool.Version(ctx)
	if err != nil {
		return Result{}, err
	}
	key := contentKey(html, s.layout.FontsHash(), s.revision)
	result := Result{Filename: filename(r.CV)}
	if tag := etag(key, version); slices.Contains(r.Known, tag) {
		answeredFrom["caller"].Inc()
		result.ETag, result.NotModified = tag, true
		return result, nil
	} else if doc, ok := s.pool.cache.get(tag); ok {
		answeredFrom["cache"].Inc()
		result.Document = *doc
		return result, nil
	}
	answeredFrom["chromium"].Inc()
	doc, err := s.pool.print(ctx, job{key: key, share: r.Share, html: html, author: document.GetName()})
	if err != nil {
		return Result{}, err
	}
	result.Document = *doc
	return result, nil
}

// photo returns the photo, or none if it cannot be fetched, because a CV without a photo is better than no
// CV. The photo is fetched before the CV enters the queue, so a slow host does not delay other CVs
// (behaviour: pdf#photos).
func (s *Service) photo(ctx context.Context, share, address string) ([]byte, error) {
	if address == "" {
		return nil, nil
	}
	photo, err := s.photos.Get(ctx, share, address)
	if err == nil {
		return photo, nil
	}
	if ctx.Err() != nil {
		return nil, fmt.Errorf("render: %w", ctx.Err())
	}
	s.log.WarnContext(ctx, "rendering without photo", "error", err)
	return nil, nil
}

// contentKey identifies the content of a PDF, regardless of the browser that prints it.
func contentKey(html, fontsHash, revision string) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%s\n%d\n%s", revision, fontsHash, len(html), html)
	return string(h.Sum(nil))
}

// etag identifies the bytes of a PDF, based on its content and the browser that printed it.
func etag(key, version string) string {
	sum := sha256.Sum256([]byte(key + version))
	return base64.RawURLEncoding.EncodeToString(sum[:18])
}
