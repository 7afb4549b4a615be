package resume

import (
	"context"
	"io"
	"path"
	"time"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/id"
)

// linkLife is how long a signed address works
// (behaviour: applications#resume-download).
const linkLife = 5 * time.Minute

// Download gives the file that a signed address opens, by the query of the address.
// The caller closes it. Errors: ErrNotFound if the address was not signed here or has
// expired, and if the file is gone.
func (s *Service) Download(ctx context.Context, query string) (Resume, io.ReadCloser, error) {
	key, ok := s.files.KeyOf(ctx, query)
	if !ok {
		return Resume{}, nil, ErrNotFound
	}
	resumeID := path.Base(key)
	if !id.Valid(idPrefix, resumeID) || keyOf(resumeID) != key {
		return Resume{}, nil, ErrNotFound
	}
	r, err := s.store.Resume(ctx, resumeID)
	if err != nil {
		return Resume{}, nil, err
	}
	if !r.Ready {
		return Resume{}, nil, ErrNotFound
	}
	content, err := s.files.Open(ctx, r.Key)
	if errs.HasCode(err, ErrNotFound.Code) {
		// The row is ready, so something else than this service has removed the bytes.
		s.log.ErrorContext(ctx, "the bytes of a resume are gone", "resume", r.ID)
	}
	return r, content, err
}

// Link gives an address of a file at key that works for five minutes.
func (s *Service) Link(ctx context.Context, key string) (Link, error) {
	// Signatures count in whole seconds. The time that is given here is never later than
	// the real end.
	expires := s.clock.Now().Truncate(time.Second).Add(linkLife)
	address, err := s.files.SignedURL(ctx, key, linkLife)
	return Link{URL: address, ExpiresAt: expires}, err
}
