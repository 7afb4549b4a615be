package blobs

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"gocloud.dev/blob"
	"gocloud.dev/blob/fileblob"
	_ "gocloud.dev/blob/s3blob" // opens s3:// URLs

	"vitae.internal/pkg/keyring"
)

// Config configures the bucket.
type Config struct {
	// URL is the bucket's URL in the format of gocloud.dev/blob: file:///folder, or s3://name with
	// the driver's options.
	URL string
	// SigningKeys sign the URLs of a file bucket. All replicas need the same keys. Other buckets do
	// not need any.
	SigningKeys keyring.Ring
	// BaseURL is the public URL of the REST API. Below it, the gateway serves the files of a file
	// bucket.
	BaseURL string
}

const (
	// resumesPath is the path below BaseURL under which the gateway serves the files of a file
	// bucket.
	resumesPath = "resumes"
	// Permissions of directories and files in a file bucket.
	dirMode, fileMode = 0o700, 0o600
)

// Open opens the bucket. The caller must close it.
func Open(ctx context.Context, c Config) (*Bucket, error) {
	u, err := url.Parse(c.URL)
	if err != nil || u.Scheme == "" {
		return nil, errors.New("VITAE_BLOB_URL must be the URL of a bucket")
	}
	if u.Scheme == fileblob.Scheme {
		return openFolder(ctx, u, c)
	}
	bucket, err := blob.OpenBucket(ctx, c.URL)
	if err != nil {
		return nil, fmt.Errorf("VITAE_BLOB_URL: %w", err)
	}
	return New(bucket, nil), nil
}

// openFolder opens a file bucket. The driver creates the directory if the URL requests it, and
// signs URLs. Type folder reads and writes the files.
func openFolder(ctx context.Context, u *url.URL, c Config) (*Bucket, error) {
	for _, fixed := range []string{"base_url", "secret_key_path", "metadata", "no_tmp_dir"} {
		if u.Query().Has(fixed) {
			return nil, fmt.Errorf("VITAE_BLOB_URL must not set %s", fixed)
		}
	}
	keys, err := c.SigningKeys.Named("blob_signing")
	if err != nil {
		return nil, fmt.Errorf("the URLs of a file bucket need signing keys: %w", err)
	}
	base, err := url.Parse(c.BaseURL)
	if err != nil || base.Scheme == "" || base.Host == "" {
		return nil, errors.New("VITAE_BASE_URL must be an absolute URL")
	}
	signer := newSigner(base.JoinPath(resumesPath), keys)
	opener := fileblob.URLOpener{Options: fileblob.Options{URLSigner: signer, DirFileMode: dirMode}}
	bucket, err := opener.OpenBucketURL(ctx, u)
	if err != nil {
		return nil, fmt.Errorf("VITAE_BLOB_URL: %w", err)
	}
	b := New(bucket, signer)
	b.folder = folder(u.Path)
	if u.Host == "." { // the driver represents relative paths this way
		b.folder = folder(strings.TrimPrefix(u.Path, "/"))
	}
	return b, nil
}
