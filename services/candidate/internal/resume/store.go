package resume

import (
	"context"
	"io"
	"time"
)

// Store stores the rows of resumes. Every method is atomic.
type Store interface {
	// AddResume adds r, not ready. Errors: PROFILE_NOT_FOUND.
	AddResume(ctx context.Context, r Resume) error
	// FinishResume marks a resume as ready if it was created after the given time.
	// Errors: ErrNotFound.
	FinishResume(ctx context.Context, id string, createdAfter time.Time) error
	// Resume returns a resume, ready or not. Errors: ErrNotFound.
	Resume(ctx context.Context, id string) (Resume, error)
	// GiveUpResumes marks up to atMost resumes for deletion, so that no application can claim
	// them, and returns them. It takes those without an application that were created before
	// unclaimed, and those that are not ready and were created before unfinished.
	GiveUpResumes(ctx context.Context, unfinished, unclaimed time.Time, atMost int) ([]Resume, error)
	// DeleteResume removes a resume that GiveUpResumes has returned.
	DeleteResume(ctx context.Context, id string) error
}

// Files stores the bytes of resumes. Package blobs implements it.
type Files interface {
	// Put stores content at key, to be served with the headers.
	Put(ctx context.Context, key string, content io.Reader, h Headers) error
	// Open returns the content at key. Errors: ErrNotFound.
	Open(ctx context.Context, key string) (io.ReadCloser, error)
	// Remove removes the content at key, including the rest of an interrupted Put. It succeeds if
	// there is nothing.
	Remove(ctx context.Context, key string) error
	// SignedURL returns an address of key that is valid for life.
	SignedURL(ctx context.Context, key string, life time.Duration) (string, error)
	// KeyOf returns the key of an address from SignedURL, given its query; false if the signature
	// is invalid or has expired.
	KeyOf(ctx context.Context, query string) (string, bool)
}

// Headers are the HTTP headers that a file is served with.
type Headers struct {
	ContentType, ContentDisposition string
}
