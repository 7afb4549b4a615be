package servers_test

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/moby/patternmatcher"
	"github.com/moby/patternmatcher/ignorefile"
)

// TestTheContextOfTheImagesHasAllThatTheProgramsAreBuiltFrom compares what the go command reads to
// build the programs, files that are embedded included, with what Dockerfile.dockerignore leaves in.
func TestTheContextOfTheImagesHasAllThatTheProgramsAreBuiltFrom(t *testing.T) {
	list, err := os.Open(repository + "/deploy/docker/Dockerfile.dockerignore")
	if err != nil {
		t.Fatal(err)
	}
	defer list.Close() //nolint:errcheck // it was only read
	patterns, err := ignorefile.ReadAll(list)
	if err != nil {
		t.Fatal(err)
	}
	left, err := patternmatcher.New(patterns)
	if err != nil {
		t.Fatal(err)
	}
	files := filesOfPrograms(t)
	// The go command reads the go.mod of every module of go.work, also where nothing of it is built.
	for _, module := range regexp.MustCompile(`(?m)^\t\./(.+)$`).FindAllStringSubmatch(read(t, repository+"/go.work"), -1) {
		files = append(files, module[1]+"/go.mod")
	}
	if len(files) < 500 {
		t.Fatalf("the programs are built from %d files, so not all were listed", len(files))
	}
	for _, file := range files {
		out, err := left.MatchesOrParentMatches(file)
		if err != nil {
			t.Fatal(err)
		}
		if out {
			t.Errorf("%s is left out of the images' context, so nothing can be built there", file)
		}
	}
}

// filesOfPrograms are the files of this repository that the programs of the Dockerfile are built
// from, by their paths in it.
func filesOfPrograms(t *testing.T) (files []string) {
	t.Helper()
	root, err := filepath.Abs(repository)
	if err != nil {
		t.Fatal(err)
	}
	build := regexp.MustCompile(`(?s)go build .*?\n\n`).FindString(read(t, repository+"/deploy/docker/Dockerfile"))
	programs := regexp.MustCompile(`\./[a-z/-]+`).FindAllString(build, -1)
	list := exec.CommandContext(t.Context(), "go", append([]string{"list", "-deps", "-json=Dir,Standard,GoFiles,EmbedFiles"}, programs...)...)
	list.Dir, list.Stderr = root, os.Stderr
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	decoder := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p struct {
			Dir                 string
			Standard            bool
			GoFiles, EmbedFiles []string
		}
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			return files
		} else if err != nil {
			t.Fatal(err)
		}
		dir, err := filepath.Rel(root, p.Dir)
		if err != nil || p.Standard || strings.HasPrefix(dir, "..") {
			continue
		}
		for _, file := range append(p.GoFiles, p.EmbedFiles...) {
			if !strings.HasSuffix(file, "_test.go") { // a pattern may embed them, and does without
				files = append(files, filepath.ToSlash(filepath.Join(dir, file)))
			}
		}
	}
}
