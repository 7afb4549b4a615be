package blobs

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"

	"vitae.internal/services/candidate/internal/resume"
)

// folder is the directory of a file bucket. The directory can disappear at any time, for example if
// a file system is unmounted. The bucket's driver would not notice: it would create a new directory
// for writes, list no files, and report every file as missing. Therefore, this type bypasses the
// driver and opens the existing directory for each operation.
type folder string

// open opens a file. It reports a file as missing only if the directory exists. Both lookups use
// the same open directory, even if the path leads to a different one in between.
func (f folder) open(key string) (io.ReadCloser, error) {
	root, err := os.OpenRoot(string(f))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	file, err := root.Open(key)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, resume.ErrNotFound
	}
	if err != nil {
		return nil, err
	}
	return file, nil
}

// remove removes all files whose names start with the key.
func (f folder) remove(key string) error {
	root, err := os.OpenRoot(string(f))
	if err != nil {
		return err
	}
	defer root.Close()
	dir, base := path.Split(key)
	names, err := namesIn(root, path.Clean(dir))
	for _, name := range names {
		if strings.HasPrefix(name, base) {
			err = errors.Join(err, ignoreMissing(root.Remove(dir+name)))
		}
	}
	return err
}

// namesIn returns the names of the files in a directory below root, or none if the directory does
// not exist.
func namesIn(root *os.Root, dir string) ([]string, error) {
	listed, err := root.Open(dir)
	if err != nil {
		return nil, ignoreMissing(err)
	}
	defer listed.Close()
	return listed.Readdirnames(-1)
}

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// put writes a file either completely or not at all, into the directory that existed when put
// started. If the process is killed, it leaves behind a file whose name starts with the key.
func (f folder) put(key string, content io.Reader) (err error) {
	root, err := os.OpenRoot(string(f))
	if err != nil {
		return err
	}
	defer root.Close()
	if err := root.MkdirAll(path.Dir(key), dirMode); err != nil {
		return err
	}
	partial := key + "." + rand.Text() + ".tmp"
	defer func() {
		if err != nil {
			_ = root.Remove(partial) // if this fails, the clean-up job removes the file
		}
	}()
	if err := write(root, partial, content); err != nil {
		return err
	}
	if err := root.Rename(partial, key); err != nil {
		return fmt.Errorf("put in place: %w", err)
	}
	return nil
}

func write(root *os.Root, name string, content io.Reader) error {
	file, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, content)
	return errors.Join(err, file.Close())
}
