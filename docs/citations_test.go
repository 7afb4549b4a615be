package docs_test

import (
	"os"
	"testing"
)

// repository reads the repository that contains this module. The go command does not notice changes to files outside
// the module, so run the tests with -count=1 after a change elsewhere.
func repository(t *testing.T) *tree {
	t.Helper()
	all, err := readTree(os.DirFS(".."))
	if err != nil {
		t.Fatal(err)
	}
	if len(all.anchors) < 20 || all.lines["go.work"] == nil {
		t.Fatalf("%d pages were found; this is not the root of the repository", len(all.anchors))
	}
	return all
}

func TestCitationsLinksAndPathsExist(t *testing.T) {
	all := repository(t)
	for name, check := range map[string]func() []fault{
		"citations have targets":             all.deadCitations,
		"links have targets":                 all.deadLinks,
		"mentioned pages exist":              all.deadMentions,
		"source paths in architecture exist": all.deadPaths,
		"headings are unique":                all.sharedHeadings,
	} {
		t.Run(name, func(t *testing.T) {
			faults := check()
			for _, f := range faults {
				t.Errorf("%s", f)
			}
			if len(faults) > 0 {
				t.Logf("%d errors", len(faults))
			}
		})
	}
}
