package blobs

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
)

// folder is the folder of a file bucket, which may be taken away at any time: its
// file system unmounted, the folder moved. The bucket's driver would not notice. It
// makes a new one for what it writes, finds nothing to list, and calls every file
// missing.
type folder string

// there is the error of a folder that is not there now.
func (f folder) there() error {
	info, err := os.Stat(string(f))
	if err == nil && !info.IsDir() {
		err = errors.New("the bucket is no folder")
	}
	return err
}

// put writes a file whole or not at all, into the very folder that was there when
// it began, wherever that is moved meanwhile. What a process leaves that is killed
// meanwhile begins with the key.
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
			_ = root.Remove(partial) // the cleaner takes it otherwise
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
