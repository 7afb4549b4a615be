package resume

import (
	"context"
	"io"
	"time"
)

// Store stores the rows of resumes. Every method is atomic.
type Store interface {
	// AddResume adds r, which is not ready yet. It returns PROFILE_NOT_FOUND if the person has no
	// profile.
	AddResume(ctx context.Context, r Resume) error
	// FinishResume marks a resume as ready if it was created after createdAfter. Otherwise, it
	// returns ErrNotFound.
	FinishResume(ctx context.Context, id string, createdAfter time.Time) error
	// Resume returns a resume, whether it is ready or not. It returns ErrNotFound if there is none.
	Resume(ctx context.Context, id string) (Resume, error)
	// GiveUpResumes marks up to atMost resumes for deletion, so no application can claim them, and
	// returns them. It selects resumes without an application that were created before unclaimed,
	// and resumes that are not ready and were created before unfinished.
	GiveUpResumes(ctx context.Context, unfinished, unclaimed time.Time, atMost int) ([]Resume, error)
	// DeleteResume deletes the row of a resume that GiveUpResumes has returned.
	DeleteResume(ctx context.Context, id string) error
}

// Files stores the bytes of resumes. Package blobs implements it.
type Files interface {
	// Put stores content at key. h are the headers with which the file is served.
	Put(ctx context.Context, key string, content io.Reader, h Headers) error
	// Open returns the content at key. It returns ErrNotFound if there is none.
	Open(ctx context.Context, key string) (io.ReadCloser, error)
	// Remove removes the content at key, including what an interrupted Put left behind. It succeeds
	// if there is nothing to remove.
	Remove(ctx context.Context, key string) error
	// SignedURL returns a URL for key that is valid for the duration life.
	SignedURL(ctx context.Context, key string, life time.Duration) (string, error)
	// KeyOf returns the key from the query of a URL that SignedURL has returned. It returns false
	// if the signature is invalid or has expired.
	KeyOf(ctx context.Context, query string) (string, bool)
}

// Headers are the HTTP headers with which a file is served.
type Headers struct {
	ContentType, ContentDisposition string
}
