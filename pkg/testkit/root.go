package testkit

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Root returns the root of the clone: the working directory, or its nearest parent, that contains a
// go.work file.
func Root() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		_, err := os.Stat(filepath.Join(dir, "go.work"))
		if err == nil {
			return dir, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("not inside a clone: no go.work in any parent folder")
		}
		dir = parent
	}
}
