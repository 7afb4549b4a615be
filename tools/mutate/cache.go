package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// buildCache is the folder in which the go command keeps what it has built. Every fault
// adds the packages that it changes, which nobody builds again: in the cache of whoever
// runs the tool they would fill the disk.
type buildCache struct {
	dir  string
	kept map[string]struct{}
}

// keep has forget spare what the cache holds now.
func (c *buildCache) keep() error {
	c.kept = map[string]struct{}{}
	return c.each(func(file string) error {
		c.kept[file] = struct{}{}
		return nil
	})
}

// forget removes what was added since keep.
func (c *buildCache) forget() error {
	return c.each(func(file string) error {
		if _, ok := c.kept[file]; ok {
			return nil
		}
		return os.Remove(file)
	})
}

func (c *buildCache) each(do func(file string) error) error {
	err := filepath.WalkDir(c.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		return do(path)
	})
	if errors.Is(err, fs.ErrNotExist) {
		return nil // nothing was built yet
	}
	return err
}
