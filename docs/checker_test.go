package docs_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

// fault is an error in a file. Lines are counted from 1.
type fault struct {
	file string
	line int
	what string
}

func (f fault) String() string { return fmt.Sprintf("%s:%d: %s", f.file, f.line, f.what) }

// tree holds the text files of a repository, and the anchors that its pages define.
type tree struct {
	// lines contains the lines of each text file, by slash-separated path from the root.
	lines map[string][]string
	// folders contains all directories.
	folders map[string]bool
	// anchors contains the anchors of each Markdown file.
	anchors map[string]map[string]bool
}

// skipped lists the names of folders whose files are not part of the repository.
var skipped = map[string]bool{".git": true, "bin": true, "node_modules": true, ".vitae": true, "vendor": true}

// readTree reads all text files of a repository. It skips binary files.
func readTree(repository fs.FS) (*tree, error) {
	t := &tree{lines: map[string][]string{}, folders: map[string]bool{}, anchors: map[string]map[string]bool{}}
	err := fs.WalkDir(repository, ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && skipped[entry.Name()]:
			return fs.SkipDir
		case entry.IsDir():
			t.folders[name] = true
			return nil
		case !entry.Type().IsRegular():
			return nil
		}
		raw, err := fs.ReadFile(repository, name)
		if err != nil {
			return err
		}
		if bytes.IndexByte(raw[:min(len(raw), 8000)], 0) < 0 {
			t.lines[name] = strings.Split(string(raw), "\n")
		}
		return nil
	})
	for name, lines := range t.lines {
		if path.Ext(name) == ".md" {
			t.anchors[name] = anchorsOf(lines)
		}
	}
	return t, err
}

// files returns the sorted paths of all text files.
func (t *tree) files() []string {
	names := make([]string, 0, len(t.lines))
	for name := range t.lines {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

var (
	heading    = regexp.MustCompile("^#{1,6} +(.*?) *#*$")
	linkText   = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
	notInSlugs = regexp.MustCompile(`[^\p{L}\p{N} _-]`)
)

// anchorsOf returns the anchors that GitHub generates for the headings of a page.
func anchorsOf(lines []string) map[string]bool {
	anchors := map[string]bool{}
	for _, line := range outsideCode(lines) {
		m := heading.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		text := linkText.ReplaceAllString(m[1], "$1")
		slug := strings.ReplaceAll(notInSlugs.ReplaceAllString(strings.ToLower(text), ""), " ", "-")
		for unique, n := slug, 1; ; n++ {
			if !anchors[unique] {
				anchors[unique] = true
				break
			}
			unique = fmt.Sprintf("%s-%d", slug, n)
		}
	}
	return anchors
}

// outsideCode returns the lines of a Markdown page, with code blocks replaced by empty lines.
func outsideCode(lines []string) []string {
	out, fence := make([]string, len(lines)), ""
	for i, line := range lines {
		trimmed := strings.TrimSpace(line)
		opens := strings.HasPrefix(trimmed, "```")
		switch {
		case fence != "":
			if strings.HasPrefix(trimmed, fence) && strings.Trim(trimmed, "`") == "" {
				fence = ""
			}
		case opens:
			fence = trimmed[:len(trimmed)-len(strings.TrimLeft(trimmed, "`"))]
		default:
			out[i] = line
		}
	}
	return out
}
