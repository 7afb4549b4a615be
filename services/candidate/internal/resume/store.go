package resume

import (
	"context"
	"io"
	"time"
)

// Store keeps the rows of resumes. Every method is atomic.
type Store interface {
	// AddResume adds r, not ready. Errors: PROFILE_NOT_FOUND.
	AddResume(ctx context.Context, r Resume) error
	// FinishResume makes a resume ready that was created after the given time.
	// Errors: ErrNotFound.
	FinishResume(ctx context.Context, id string, createdAfter time.Time) error
	// Resume gives a resume, ready or not. Errors: ErrNotFound.
	Resume(ctx context.Context, id string) (Resume, error)
	// GiveUpResumes marks at most atMost resumes so that no application can claim them
	// any more, and gives them: those without an application that were created before
	// unclaimed, and those that are not ready and were created before unfinished.
	GiveUpResumes(ctx context.Context, unfinished, unclaimed time.Time, atMost int) ([]Resume, error)
	// DeleteResume removes a resume that GiveUpResumes has given.
	DeleteResume(ctx context.Context, id string) error
}

// Files keeps the bytes of resumes. Package blobs implements it.
type Files interface {
	// Put keeps content at key, to be served with the headers.
	Put(ctx context.Context, key string, content io.Reader, h Headers) error
	// Open reads what is kept at key. Errors: ErrNotFound.
	Open(ctx context.Context, key string) (io.ReadCloser, error)
	// Remove removes what is kept at key, and what an interrupted Put has left. It is no
	// error if there is nothing.
	Remove(ctx context.Context, key string) error
	// SignedURL gives an address that opens key for life.
	SignedURL(ctx context.Context, key string, life time.Duration) (string, error)
	// KeyOf gives the key that an address opens, by its query; false unless
	// SignedURL made the address and it still works.
	KeyOf(ctx context.Context, query string) (string, bool)
}

// Headers are the HTTP headers that a file is served with.
type Headers struct {
	ContentType, ContentDisposition string
}
