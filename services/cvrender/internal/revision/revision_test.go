package revision_test

import (
	"os"
	"testing"
	"testing/fstest"

	"vitae.internal/services/cvrender/internal/chromium"
	"vitae.internal/services/cvrender/internal/pdf"
	"vitae.internal/services/cvrender/internal/revision"
)

func TestCodeChangesRevision(t *testing.T) {
	folder := func(name, code string) fstest.MapFS {
		return fstest.MapFS{"a.go": {Data: []byte("package a")}, name: {Data: []byte(code)}}
	}
	before := revision.Of(folder("b.go", "package a"))
	if revision.Of(folder("b.go", "package  a")) == before || revision.Of(folder("c.go", "package a")) == before {
		t.Error("different code has the same revision")
	}
	if revision.Of(folder("a_test.go", "one")) != revision.Of(folder("a_test.go", "two")) {
		t.Error("changing a test changes the revision")
	}
}

// Files that are later added to these packages are covered automatically.
func TestRevisionCoversAllCode(t *testing.T) {
	for folder, got := range map[string]string{"../pdf": pdf.Revision(), "../chromium": chromium.Revision()} {
		if want := revision.Of(os.DirFS(folder)); got != want {
			t.Errorf("%s: the revision does not cover all code", folder)
		}
	}
}
