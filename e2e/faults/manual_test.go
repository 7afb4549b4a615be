package faults_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/pkg/testkit"
)

const (
	manual = "docs/operations.md"
	// section is the section of the manual with the table of faults.
	section = "## When something is down\n"
	// provenBy is the heading of the column that names tests.
	provenBy = "proven by"
	// ownFolder is the folder of this package.
	ownFolder = "e2e/faults"
)

// named matches a test in the manual: its folder, unless that is ownFolder, and its name
// with the subtest, as `go test` prints it but with spaces.
var named = regexp.MustCompile("`(?:([a-z0-9/]+) )?(Test[A-Za-z]+)(?:/([^`]+))?`")

func TestEveryEntryOfTheOperationsManualIsATest(t *testing.T) {
	root := expect.Must(testkit.Root())(t)
	tests := testsBelow(t, root)
	mentioned := map[string]bool{}
	for _, row := range manualRows(t, root) {
		proofs := named.FindAllStringSubmatch(row[len(row)-1], -1)
		if len(proofs) == 0 {
			t.Errorf("%q names no test", row[0])
		}
		for _, p := range proofs {
			folder, test, round := p[1], p[2], p[3]
			if folder == "" {
				folder = ownFolder
			}
			if !tests[folder+" "+test] {
				t.Errorf("%q names %s in %s, which is none", row[0], test, folder)
			}
			if folder != ownFolder {
				continue
			}
			mentioned[test] = true
			if rounds, ok := allRounds()[test]; round != "" && (!ok || !slices.Contains(rounds, round)) {
				t.Errorf("%q names the round %q of %s, which has %q", row[0], round, test, rounds)
			}
		}
	}
	for test := range tests {
		own, ok := strings.CutPrefix(test, ownFolder+" ")
		if ok && own != t.Name() && !mentioned[own] {
			t.Errorf("%s is no entry of %s", own, manual)
		}
	}
}

// allRounds are the names of the subtests of each test of this package.
func allRounds() map[string][]string {
	return map[string][]string{
		"TestNothingThatWasPromisedBreaksWhenAPartDoes":                     names(allFaults(), func(f fault) string { return f.name }),
		"TestAPDFIsWholeOrRefusedWhateverHappensToWhatMakesIt":              names(pdfFaults(), func(f pdfFault) string { return f.name }),
		"TestAResumeIsWholeOrRefusedWhileItsBucketIsGone":                   names(bucketFaults(), func(f bucketFault) string { return f.name }),
		"TestAPartThatIsAskedToEndAnswersEveryRequestThatHasBegun":          names(drains(), func(d drain) string { return d.part }),
		"TestWhatIsRevokedWhileAuthIsCutOffFromRedisIsDeadOnceItIsAnswered": names(partitions(), func(p partition) string { return p.name }),
		"TestAPartThatHangsHoldsUpNothingThatDoesNotNeedIt":                 names(hangs(), func(h hang) string { return h.name }),
		"TestAFailoverOfRedisRevivesNothing":                                names(redisFailovers(), func(f redisFailover) string { return f.name }),
		"TestWhatWasRefusedForLatenessDoesNotHappenLater":                   names(latenesses(), func(l lateness) string { return l.name }),
	}
}

func names[T any](all []T, name func(T) string) (out []string) {
	for _, one := range all {
		out = append(out, name(one))
	}
	return out
}

// manualRows are the rows of the table in the manual, divided into cells.
func manualRows(t *testing.T, root string) (rows [][]string) {
	t.Helper()
	text := string(expect.Must(os.ReadFile(filepath.Join(root, manual)))(t))
	_, text, ok := strings.Cut(text, section)
	if !ok {
		t.Fatalf("%s has no section %q", manual, strings.TrimSpace(section))
	}
	text, _, _ = strings.Cut(text, "\n##") // of this section or of a part of it
	for line := range strings.Lines(text) {
		if cells, ok := strings.CutPrefix(strings.TrimSpace(line), "| "); ok {
			rows = append(rows, strings.Split(strings.TrimSuffix(cells, " |"), " | "))
		}
	}
	if len(rows) < 2 || rows[0][len(rows[0])-1] != provenBy {
		t.Fatalf("%s has no table whose last column is %q: %q", manual, provenBy, rows)
	}
	for _, row := range rows {
		if len(row) != len(rows[0]) {
			t.Fatalf("%d cells, want %d: %q", len(row), len(rows[0]), row)
		}
	}
	return rows[1:]
}

// testsBelow are the tests of the workspace, as "folder TestName".
func testsBelow(t *testing.T, root string) map[string]bool {
	t.Helper()
	tests := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == "gen" || path != root && strings.HasPrefix(entry.Name(), ".")) {
			return fs.SkipDir
		}
		if !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		folder, err := filepath.Rel(root, filepath.Dir(path))
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && strings.HasPrefix(f.Name.Name, "Test") && f.Name.Name != "TestMain" {
				tests[folder+" "+f.Name.Name] = true
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return tests
}
