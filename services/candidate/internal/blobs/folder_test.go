package blobs_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/testkit"
	"vitae.internal/services/candidate/internal/blobs"
	"vitae.internal/services/candidate/internal/resume"
)

// inFolder returns a file bucket that contains one file, and the bucket's directory.
func inFolder(t *testing.T) (*blobs.Bucket, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "resumes")
	b, err := blobs.Open(t.Context(), blobs.Config{URL: "file://" + dir + "?create_dir=true", SigningKeys: testkit.Ring("blob_signing", "a"), BaseURL: base})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	if err := put(t, b, "aa/one", strings.NewReader("one")); err != nil {
		t.Fatal(err)
	}
	return b, dir
}

func put(t *testing.T, b *blobs.Bucket, key string, content io.Reader) error {
	t.Helper()
	return b.Put(t.Context(), key, content, resume.Headers{ContentType: "text/plain"})
}

// files returns the files below a directory.
func files(t *testing.T, dir string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// The driver would recreate a missing directory. Files written there would be lost when the real
// directory returns.
func TestMissingFolderIsUnavailable(t *testing.T) {
	for name, takeAway := range map[string]func(dir string) error{
		"moved":                         func(dir string) error { return os.Rename(dir, dir+".away") },
		"a file in place of the folder": func(dir string) error { return errors.Join(os.Rename(dir, dir+".away"), os.WriteFile(dir, nil, 0o600)) },
	} {
		t.Run(name, func(t *testing.T) {
			b, dir := inFolder(t)
			if err := takeAway(dir); err != nil {
				t.Fatal(err)
			}
			_, opening := b.Open(t.Context(), "aa/one")
			for doing, err := range map[string]error{
				"open": opening, "put": put(t, b, "bb/two", strings.NewReader("two")), "remove": b.Remove(t.Context(), "aa/one"),
			} {
				if errs.KindOf(err) != errs.Unavailable {
					t.Errorf("%s: %v", doing, err)
				}
			}
			if made := files(t, dir); len(made) != 0 {
				t.Errorf("a folder was created, containing %v", made)
			}
			if err := errors.Join(os.RemoveAll(dir), os.Rename(dir+".away", dir)); err != nil {
				t.Fatal(err)
			}
			r, err := b.Open(t.Context(), "aa/one")
			if err != nil {
				t.Fatal(err)
			}
			_ = r.Close()
			if err := put(t, b, "bb/two", strings.NewReader("two")); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestWriteFollowsMovedFolder(t *testing.T) {
	b, dir := inFolder(t)
	moves := readerFunc(func([]byte) (int, error) {
		if err := os.Rename(dir, dir+".away"); err != nil {
			t.Error(err)
		}
		return 0, io.EOF
	})
	if err := put(t, b, "bb/two", io.MultiReader(strings.NewReader("two"), moves)); err != nil {
		t.Fatal(err)
	}
	if made, kept := files(t, dir), files(t, dir+".away"); len(made) != 0 || len(kept) != 2 {
		t.Errorf("the old path contains %v, the moved folder %v", made, kept)
	}
}

func TestFailedWriteLeavesNothing(t *testing.T) {
	b, dir := inFolder(t)
	broken := readerFunc(func([]byte) (int, error) { return 0, errors.New("broken") })
	if err := put(t, b, "bb/two", broken); errs.KindOf(err) != errs.Unavailable {
		t.Errorf("the failed write returned %v", err)
	}
	if left := files(t, dir); len(left) != 1 {
		t.Errorf("the failed write left %v", left)
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
