package blobs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"gocloud.dev/blob"
	"gocloud.dev/blob/fileblob"
	"gocloud.dev/gcerrors"

	"vitae.internal/pkg/errs"
	"vitae.internal/services/candidate/internal/erasure"
	"vitae.internal/services/candidate/internal/export"
	"vitae.internal/services/candidate/internal/inventory"
	"vitae.internal/services/candidate/internal/resume"
)

// retryAfter is the time after which callers should retry if the bucket cannot be reached.
const retryAfter = 2 * time.Second

// Bucket stores people's resumes and exports.
type Bucket struct {
	bucket *blob.Bucket
	// folder is the directory of a file bucket. It is empty for other buckets.
	folder folder
	// signer verifies the URLs of a file bucket. It is nil if the storage serves its URLs itself.
	signer fileblob.URLSigner
}

var (
	_ resume.Files    = (*Bucket)(nil)
	_ inventory.Files = (*Bucket)(nil)
	_ export.Files    = (*Bucket)(nil)
	_ erasure.Files   = (*Bucket)(nil)
)

// New returns a Bucket. It takes ownership of bucket, which must be open.
func New(bucket *blob.Bucket, signer fileblob.URLSigner) *Bucket {
	return &Bucket{bucket: bucket, signer: signer}
}

// Close closes the bucket.
func (b *Bucket) Close() error { return b.bucket.Close() }

func (b *Bucket) Put(ctx context.Context, key string, content io.Reader, h resume.Headers) error {
	if b.folder != "" {
		return errorOf("put", b.folder.put(key, content))
	}
	return errorOf("put", b.bucket.Upload(ctx, key, content, &blob.WriterOptions{
		ContentType:        h.ContentType,
		ContentDisposition: h.ContentDisposition,
		CacheControl:       "private, no-store",
	}))
}

func (b *Bucket) Open(ctx context.Context, key string) (io.ReadCloser, error) {
	if b.folder != "" {
		r, err := b.folder.open(key)
		if errs.HasCode(err, resume.ErrNotFound.Code) {
			return nil, err
		}
		return r, errorOf("open", err)
	}
	r, err := b.bucket.NewReader(ctx, key, nil)
	if gcerrors.Code(err) == gcerrors.NotFound {
		return nil, resume.ErrNotFound
	}
	if err != nil {
		return nil, errorOf("open", err)
	}
	return r, nil
}

// Remove removes the file at key. It also removes what an interrupted write left behind, which is a
// file whose name starts with the key.
func (b *Bucket) Remove(ctx context.Context, key string) error {
	if b.folder != "" {
		return errorOf("remove", b.folder.remove(key))
	}
	return errorOf("remove", b.removeListed(ctx, key))
}

func (b *Bucket) removeListed(ctx context.Context, key string) error {
	list := b.bucket.List(&blob.ListOptions{Prefix: key})
	for {
		object, err := list.Next(ctx)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if err := b.bucket.Delete(ctx, object.Key); err != nil && gcerrors.Code(err) != gcerrors.NotFound {
			return err
		}
	}
}

func (b *Bucket) SignedURL(ctx context.Context, key string, life time.Duration) (string, error) {
	address, err := b.bucket.SignedURL(ctx, key, &blob.SignedURLOptions{Expiry: life, Method: http.MethodGet})
	return address, errorOf("sign", err)
}

func (b *Bucket) KeyOf(ctx context.Context, query string) (string, bool) {
	if b.signer == nil {
		return "", false
	}
	if _, err := url.ParseQuery(query); err != nil {
		return "", false
	}
	key, err := b.signer.KeyFromURL(ctx, &url.URL{RawQuery: query})
	return key, err == nil
}

// errorOf converts an error from the bucket. It hides the details, because keys and URLs must not
// leave the process.
func errorOf(doing string, err error) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	return errs.New(errs.Unavailable, errs.CodeUnavailable, "The service cannot answer now.").
		WithCause(fmt.Errorf("blobs: %s: %w", doing, err)).WithRetryAfter(retryAfter)
}
