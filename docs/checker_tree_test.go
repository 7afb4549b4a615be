package docs_test

import (
	"strings"
	"testing"
	"testing/fstest"
)

// word is the start of a citation. It is concatenated, so that this file itself contains no citation.
const word = "behaviour" + ": "

// made returns the tree of a repository with two pages and the given files.
func made(t *testing.T, files map[string]string) *tree {
	t.Helper()
	repository := fstest.MapFS{
		"docs/behaviour/limits.md": {Data: []byte("# Limits\n\n### A refused request spends nothing\n\n```\n### Not a heading\n```\n### PUT, then `GET`!\n")},
		"docs/behaviour/errors.md": {Data: []byte("# Errors\n\n### Order of checks\n")},
	}
	for name, text := range files {
		repository[name] = &fstest.MapFile{Data: []byte(text)}
	}
	all, err := readTree(repository)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestDeadCitationsAreFound(t *testing.T) {
	for line, fault := range map[string]string{
		"// (" + word + "limits#a-refused-request-spends-nothing).": "",
		"// " + word + "limits":           "",
		"-- " + word + "limits, and more": "",
		"# " + word + "limits#put-then-get, errors#order-of-checks; RFC 7009": "",
		"`" + `\(` + word[:10] + `[^)]*\)` + "`":                              "",
		"// scroll-behavior: auto":                                            "",
		"// (" + word + "limits#not-a-heading)":                               "no such heading",
		"// (" + word + "limits#nowhere)":                                     "no such heading",
		"// (" + word + "limits#put-then-get, errors#nowhere)":                "no such heading",
		"// (" + word + "tariffs#anything)":                                   "no page",
		"// (" + word + "limits.md#put-then-get)":                             "one line",
		"// (" + word[:10] + "limits#put-then-get)":                           "one line",
		"// (" + word[:10]:                                                    "one line",
		"// (" + word + "limits#put-then-get,":                                "one line",
		"// " + word + "limits#put-then-get and " + word + "limits#gone":      "no such heading",
		"// its " + word + "it waits":                                         "no page",
		"// (" + word + "Limits#put-then-get)":                                "one line",
	} {
		got := made(t, map[string]string{"a.go": "package a\n" + line + "\n"}).deadCitations()
		switch {
		case fault == "" && len(got) != 0:
			t.Errorf("%q: %v", line, got)
		case fault != "" && (len(got) != 1 || got[0].line != 2 || !strings.Contains(got[0].what, fault)):
			t.Errorf("%q: %v, want one with %q", line, got, fault)
		}
	}
}

func TestDeadLinksAreFound(t *testing.T) {
	for text, want := range map[string]int{
		"[a](docs/behaviour/limits.md)":                     0,
		"[a](docs/behaviour/limits.md#put-then-get)":        0,
		"[a](docs/behaviour) [b](docs/behaviour/)":          0,
		"[a](#here-1)\n# Here\n# Here":                      0,
		"[a](https://example.org/b.md) [c](mailto:d@e.org)": 0,
		"`[a](nowhere.md)`\n```sh\n[b](nowhere.md)\n```":    0,
		"[a](nowhere.md)":                                   1,
		"[a](docs/behaviour/limits.md#gone)":                1,
		"[a](#gone) and [b](../x.md)":                       2,
		"[a](a.go#L1)":                                      1,
	} {
		got := made(t, map[string]string{"README.md": text + "\n", "a.go": "package a\n"}).deadLinks()
		if len(got) != want {
			t.Errorf("%q: %v, want %d", text, got, want)
		}
	}
}

func TestDeadPageNamesAreFound(t *testing.T) {
	all := made(t, map[string]string{"a.go": "// (docs/behaviour/limits.md, https://b.org/docs/c.md)\n// docs/" + "gone.md says so\n"})
	if got := all.deadMentions(); len(got) != 1 || got[0].line != 2 {
		t.Error(got)
	}
}

func TestDeadPathsAreFound(t *testing.T) {
	all := made(t, map[string]string{"docs/architecture.md": "`pkg/gone/` holds nothing.\n`pkg/a.go`\n", "pkg/a.go": "package a\n"})
	if got := all.deadPaths(); len(got) != 1 || got[0].line != 1 {
		t.Error(got)
	}
}

func TestSharedHeadingsAreFound(t *testing.T) {
	all := made(t, map[string]string{"docs/" + "behaviour/x.md": "# X\n### One\n### one\n"})
	if got := all.sharedHeadings(); len(got) != 1 || got[0].line != 3 {
		t.Error(got)
	}
}

func TestForeignFoldersAreSkipped(t *testing.T) {
	all := made(t, map[string]string{"tools/node/node_modules/a/README.md": "[a](gone.md)", "bin/b.md": "[a](gone.md)", "c.bin": "\x00[a](gone.md)"})
	if got := all.files(); len(got) != 2 {
		t.Error(got)
	}
}
