package resume

import (
	"context"
	"io"
	"path"
	"time"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/id"
)

// linkLife limits how long a signed URL is valid (behaviour: applications#resume-download).
const linkLife = 5 * time.Minute

// Download returns the file for the query of a signed URL. The caller must close it. It returns
// ErrNotFound if the signature is invalid or has expired, or if the file has been deleted.
func (s *Service) Download(ctx context.Context, query string) (Resume, io.ReadCloser, error) {
	key, ok := s.cfg.Files.KeyOf(ctx, query)
	if !ok {
		return Resume{}, nil, ErrNotFound
	}
	resumeID := path.Base(key)
	if !id.Valid(idPrefix, resumeID) || keyOf(resumeID) != key {
		return Resume{}, nil, ErrNotFound
	}
	r, err := s.cfg.Store.Resume(ctx, resumeID)
	if err != nil {
		return Resume{}, nil, err
	}
	if !r.Ready {
		return Resume{}, nil, ErrNotFound
	}
	content, err := s.cfg.Files.Open(ctx, r.Key)
	if errs.HasCode(err, ErrNotFound.Code) {
		// The row is marked as ready, so something other than this service has removed the bytes.
		s.cfg.Log.ErrorContext(ctx, "the bytes of a resume are missing", "resume", r.ID)
	}
	return r, content, err
}

// Link returns a signed URL for the file at key. The URL is valid for five minutes.
func (s *Service) Link(ctx context.Context, key string) (Link, error) {
	// Signatures have a precision of one second. ExpiresAt is never later than the actual expiry.
	expires := s.cfg.Clock.Now().Truncate(time.Second).Add(linkLife)
	address, err := s.cfg.Files.SignedURL(ctx, key, linkLife)
	return Link{URL: address, ExpiresAt: expires}, err
}
