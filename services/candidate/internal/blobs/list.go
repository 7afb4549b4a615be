package blobs

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"

	"gocloud.dev/gcerrors"
)

func (b *Bucket) Each(ctx context.Context, do func(key string) error) error {
	if b.folder != "" {
		return b.folder.each(do)
	}
	for list := b.bucket.List(nil); ; {
		object, err := list.Next(ctx)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return errorOf("list", err)
		}
		if err := do(object.Key); err != nil {
			return err
		}
	}
}

func (b *Bucket) Size(ctx context.Context, key string) (size int64, there bool, err error) {
	if b.folder != "" {
		return b.folder.size(key)
	}
	about, err := b.bucket.Attributes(ctx, key)
	if gcerrors.Code(err) == gcerrors.NotFound {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, errorOf("look", err)
	}
	return about.Size, true, nil
}

// each passes the key of every file to the function do.
func (f folder) each(do func(key string) error) error {
	root, err := os.OpenRoot(string(f))
	if err != nil {
		return errorOf("list", err)
	}
	defer root.Close()
	return fs.WalkDir(root.FS(), ".", func(path string, entry fs.DirEntry, err error) error {
		// Skip files that are removed while the directory is being listed.
		if errors.Is(err, fs.ErrNotExist) && path != "." {
			return nil
		}
		if err != nil {
			return errorOf("list", err)
		}
		if entry.IsDir() {
			return nil
		}
		return do(path)
	})
}

// size returns the size of a file in bytes. Like open, it reports a file as missing only if the
// directory exists.
func (f folder) size(key string) (size int64, there bool, err error) {
	root, err := os.OpenRoot(string(f))
	if err != nil {
		return 0, false, errorOf("look", err)
	}
	defer root.Close()
	info, err := root.Stat(key)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, errorOf("look", err)
	}
	return info.Size(), true, nil
}
