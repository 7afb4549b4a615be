package web

import (
	"errors"
	"io/fs"
)

// Layers is a file system of several, for a site whose packages embed their own templates.
// The first one that has a file serves it.
type Layers []fs.FS

func (l Layers) Open(name string) (fs.File, error) {
	for _, layer := range l {
		if file, err := layer.Open(name); !errors.Is(err, fs.ErrNotExist) {
			return file, err
		}
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

// Glob implements fs.GlobFS.
func (l Layers) Glob(pattern string) (all []string, err error) {
	for _, layer := range l {
		found, err := fs.Glob(layer, pattern)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}
