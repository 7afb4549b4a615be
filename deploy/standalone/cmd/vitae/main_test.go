package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"vitae.internal/deploy/standalone/internal/datadir"
)

func TestCleanDataPrintsRemovedPaths(t *testing.T) {
	d, err := datadir.Open(filepath.Join(t.TempDir(), ".vitae"))
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Removed " + d.Path + "\n", "Nothing to remove: there is no " + d.Path + "\n"} {
		var said bytes.Buffer
		if err := clean(d.Path, &said); err != nil || said.String() != want {
			t.Errorf("printed %q, %v, want %q", said.String(), err, want)
		}
		if _, err := os.Stat(d.Path); !os.IsNotExist(err) {
			t.Errorf("%s still exists", d.Path)
		}
	}
}
