package blobs_test

import (
	"context"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gocloud.dev/blob/memblob"

	"vitae.internal/pkg/keyring"
	"vitae.internal/pkg/testkit"
	"vitae.internal/services/candidate/internal/blobs"
	"vitae.internal/services/candidate/internal/resume"
)

const base = "https://api.vitae.example"

func TestOpenRejectsInvalidBucket(t *testing.T) {
	dir := t.TempDir()
	good := blobs.Config{URL: "file://" + dir, SigningKeys: testkit.Ring("blob_signing", "a"), BaseURL: base}
	for name, change := range map[string]func(*blobs.Config){
		"no URL":              func(c *blobs.Config) { c.URL = "" },
		"a path":              func(c *blobs.Config) { c.URL = dir },
		"unknown driver":      func(c *blobs.Config) { c.URL = "tape://x" },
		"a missing folder":    func(c *blobs.Config) { c.URL += "/none" },
		"no signing key":      func(c *blobs.Config) { c.SigningKeys = keyring.Ring{} },
		"a relative base URL": func(c *blobs.Config) { c.BaseURL = "/resumes" },
		"a signer in the URL": func(c *blobs.Config) { c.URL += "?base_url=https://x.example&secret_key_path=/etc/hostname" },
		"metadata files":      func(c *blobs.Config) { c.URL += "?metadata=" },
		"unknown parameter":   func(c *blobs.Config) { c.URL += "?colour=red" },
	} {
		c := good
		change(&c)
		if b, err := blobs.Open(t.Context(), c); err == nil {
			_ = b.Close()
			t.Errorf("%s: the bucket was opened", name)
		}
	}
}

// During a key rotation, a replica verifies URLs that a different replica has signed with the other
// key.
func TestURLIsValidWhileKeyIsInRing(t *testing.T) {
	with := func(change func(*blobs.Config)) *blobs.Bucket {
		c := blobs.Config{URL: "file://" + t.TempDir(), BaseURL: base}
		change(&c)
		b, err := blobs.Open(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = b.Close() })
		return b
	}
	ring := func(ids ...string) func(*blobs.Config) {
		return func(c *blobs.Config) { c.SigningKeys = testkit.Ring("blob_signing", ids...) }
	}
	signs := with(ring("a"))
	address, err := signs.SignedURL(t.Context(), "aa/x", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	_, query, _ := strings.Cut(address, "?")
	for name, c := range map[string]struct {
		ids   []string
		opens bool
	}{
		"the same key": {[]string{"a"}, true}, "a new key in last place": {[]string{"a", "b"}, true},
		"a new key in first place": {[]string{"b", "a"}, true}, "only the new key": {[]string{"b"}, false},
	} {
		b := with(ring(c.ids...))
		if key, ok := b.KeyOf(t.Context(), query); ok != c.opens || ok && key != "aa/x" {
			t.Errorf("%s: %q, %t", name, key, ok)
		}
		if key, ok := b.KeyOf(t.Context(), strings.Replace(query, "aa%2Fx", "aa%2Fy", 1)); ok {
			t.Errorf("%s: the URL of %q is valid", name, key)
		}
	}
	fresh, err := with(ring("b", "a")).SignedURL(t.Context(), "aa/x", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	_, query, _ = strings.Cut(fresh, "?")
	if _, ok := with(ring("b")).KeyOf(t.Context(), query); !ok {
		t.Error("the URL is not signed with the first key")
	}
}

func TestCreatedFolderIsPrivate(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a folder")
	u := url.URL{Scheme: "file", Path: dir, RawQuery: "create_dir=true"}
	b, err := blobs.Open(t.Context(), blobs.Config{URL: u.String(), SigningKeys: testkit.Ring("blob_signing", "a"), BaseURL: base + "/api/"})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	info, err := os.Stat(dir)
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder is %v, %v", info, err)
	}
	address, err := b.SignedURL(t.Context(), "aa/x", time.Minute)
	if err != nil || !strings.HasPrefix(address, base+"/api/resumes?") {
		t.Errorf("the signed URL is %s, %v", address, err)
	}
}

func TestS3SignsItsOwnURLs(t *testing.T) {
	t.Setenv("AWS_ACCESS_KEY_ID", "AKIDEXAMPLE")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "secret")
	b, err := blobs.Open(t.Context(), blobs.Config{URL: "s3://resumes?region=eu-central-1&prefix=vitae/", BaseURL: base})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	address, err := b.SignedURL(t.Context(), "aa/x", 5*time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(u.Host, "resumes.s3.eu-central-1.") || u.Path != "/vitae/aa/x" || u.Query().Get("X-Amz-Expires") != "300" {
		t.Errorf("the signed URL is %s", address)
	}
	if key, ok := b.KeyOf(t.Context(), u.RawQuery); ok {
		t.Errorf("the service accepts the URL for the key %s", key)
	}
}

func TestBucketStoresHeaders(t *testing.T) {
	bucket := memblob.OpenBucket(nil)
	b := blobs.New(bucket, nil)
	defer b.Close()
	headers := resume.Headers{ContentType: "application/pdf", ContentDisposition: `attachment; filename="cv.pdf"`}
	if err := b.Put(t.Context(), "aa/x", strings.NewReader("%PDF-"), headers); err != nil {
		t.Fatal(err)
	}
	got, err := bucket.Attributes(t.Context(), "aa/x")
	if err != nil || got.ContentType != headers.ContentType || got.ContentDisposition != headers.ContentDisposition || got.CacheControl != "private, no-store" {
		t.Errorf("the stored attributes are %+v, %v", got, err)
	}
}

func TestRemoveDeletesOnlyKeyPrefix(t *testing.T) {
	dir := t.TempDir()
	b, err := blobs.Open(t.Context(), blobs.Config{URL: "file://" + dir, SigningKeys: testkit.Ring("blob_signing", "a"), BaseURL: base})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	for _, key := range []string{"aa/one", "aa/other", "bb/one"} {
		if err := b.Put(t.Context(), key, strings.NewReader(key), resume.Headers{ContentType: "text/plain"}); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "aa", "one.18f2.tmp"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 { // removing it twice is not an error
		if err := b.Remove(t.Context(), "aa/one"); err != nil {
			t.Fatal(err)
		}
	}
	left, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	if err != nil || len(left) != 2 {
		t.Errorf("these files are left: %v, %v", left, err)
	}
	body, err := b.Open(t.Context(), "bb/one")
	if err != nil {
		t.Fatal(err)
	}
	defer body.Close()
	if read, err := io.ReadAll(body); err != nil || string(read) != "bb/one" {
		t.Errorf("the other file contains %q, %v", read, err)
	}
}

func TestCancelledCallIsNotAnOutage(t *testing.T) {
	b := blobs.New(memblob.OpenBucket(nil), nil)
	defer b.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := b.Put(ctx, "aa/x", strings.NewReader("x"), resume.Headers{ContentType: "text/plain"}); err == nil || strings.Contains(err.Error(), "SERVICE_UNAVAILABLE") {
		t.Errorf("a cancelled call returned %v", err)
	}
}
