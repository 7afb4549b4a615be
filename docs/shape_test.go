package docs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// services are the four that are built alike (docs/architecture.md, "The shape of a
// service"). cvrender has no store.
var services = []string{"auth", "candidate", "cvrender", "partnercatalog"}

const (
	// maxFunction and maxFile bound what one reader can take in at a time, in lines.
	maxFunction = 60
	maxFile     = 400
)

// source is a Go file that somebody has written.
type source struct {
	name string
	fset *token.FileSet
	file *ast.File
}

// sources reads the hand-written Go files below a folder of the repository.
func sources(t *testing.T, folder string) []source {
	t.Helper()
	root := os.DirFS("..")
	var out []source
	err := fs.WalkDir(root, folder, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (skipped[entry.Name()] || entry.Name() == "gen" || entry.Name() == "testdata"):
			return fs.SkipDir
		case entry.IsDir() || path.Ext(name) != ".go":
			return nil
		}
		raw, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, name, raw, parser.ParseComments)
		if err != nil {
			return err
		}
		if !ast.IsGenerated(file) {
			out = append(out, source{name, fset, file})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(out) == 0 {
		t.Fatalf("there is no Go below %s", folder)
	}
	return out
}

// functions are the top-level functions and methods of a file, by name.
func (s source) functions() map[string]*ast.FuncDecl {
	found := map[string]*ast.FuncDecl{}
	for _, d := range s.file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			found[f.Name.Name] = f
		}
	}
	return found
}

func TestServicesAreBuiltAlike(t *testing.T) {
	for _, service := range services {
		base := "services/" + service
		has := map[string]map[string]*ast.FuncDecl{}
		for _, s := range sources(t, base) {
			has[s.name] = s.functions()
		}
		wanted := map[string]string{
			"/cmd/" + service + "/main.go":   "main",
			"/app/app.go":                    "New",
			"/app/config.go":                 "",
			"/app/doc.go":                    "",
			"/internal/grpcapi/doc.go":       "",
			"/internal/grpcapi/register.go":  "Register",
			"/internal/postgres/store.go":    "New",
			"/internal/postgres/doc.go":      "",
			"/internal/postgres/sqlc/db.go":  "",
			"/internal/postgres/migrations/": "",
		}
		for file, function := range wanted {
			if service == "cvrender" && strings.Contains(file, "/postgres/") {
				continue
			}
			if _, err := fs.Stat(os.DirFS(".."), strings.TrimSuffix(base+file, "/")); err != nil {
				t.Errorf("%s has no %s", base, file)
			} else if function != "" && has[base+file][function] == nil {
				t.Errorf("%s%s has no function %s", base, file, function)
			}
		}
	}
}

// direction matches the names that say in which direction a conversion goes only to
// who looks at its types.
var direction = regexp.MustCompile(`^(from|to|new|convert|make)[A-Z]`)

func TestConversionsAreNamedByTheirDirection(t *testing.T) {
	for _, service := range services {
		for _, s := range sources(t, "services/"+service+"/internal/grpcapi") {
			if !strings.HasPrefix(path.Base(s.name), "convert_") || strings.HasSuffix(s.name, "_test.go") {
				continue
			}
			for name, f := range s.functions() {
				if f.Recv == nil && direction.MatchString(name) {
					t.Errorf("%s: %s: name it <thing>ToProto or <thing>FromProto", s.name, name)
				}
			}
		}
	}
}

func TestFilesAndFunctionsStaySmall(t *testing.T) {
	for _, folder := range []string{"cli", "deploy", "docs", "e2e", "examples", "gateway", "pkg", "services"} {
		for _, s := range sources(t, folder) {
			if lines := s.fset.File(s.file.Pos()).LineCount(); lines > maxFile {
				t.Errorf("%s has %d lines, more than %d", s.name, lines, maxFile)
			}
			if strings.HasSuffix(s.name, "_test.go") {
				continue // a story is as long as it is
			}
			for name, f := range s.functions() {
				if lines := s.fset.Position(f.End()).Line - s.fset.Position(f.Pos()).Line + 1; lines > maxFunction {
					t.Errorf("%s: %s has %d lines, more than %d", s.name, name, lines, maxFunction)
				}
			}
		}
	}
}

func TestEveryPackageSaysWhyItExists(t *testing.T) {
	documented, seen := map[string]bool{}, map[string]string{}
	for _, folder := range []string{"cli", "deploy", "gateway", "pkg", "services"} {
		for _, s := range sources(t, folder) {
			if strings.HasSuffix(s.name, "_test.go") {
				continue
			}
			at := path.Dir(s.name)
			seen[at] = s.file.Name.Name
			documented[at] = documented[at] || s.file.Doc != nil
		}
	}
	for at, name := range seen {
		if !documented[at] {
			t.Errorf("%s: nothing says why the package exists", at)
		}
		if slices.Contains([]string{"util", "utils", "common", "helpers", "types", "misc"}, name) {
			t.Errorf("%s: the name says nothing", at)
		}
	}
}

// named matches a path of the repository in backquotes; patterns such as
// `services/X/…` and `consent*.go` are not paths.
var named = regexp.MustCompile("`((?:services|gateway|pkg|cli|e2e|deploy)/[a-z0-9_./-]+)`")

func TestTheArchitectureNamesWhatIsThere(t *testing.T) {
	page, err := os.ReadFile("architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	found := named.FindAllStringSubmatch(string(page), -1)
	if len(found) < 10 {
		t.Fatalf("the page names %d paths: the expression does not match them any more", len(found))
	}
	for _, m := range found {
		if _, err := fs.Stat(os.DirFS(".."), strings.TrimSuffix(m[1], "/")); err != nil {
			t.Errorf("docs/architecture.md names %s, which does not exist", m[1])
		}
	}
}
