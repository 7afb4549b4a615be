package docs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
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

// functions are the top-level functions and methods of a file. Methods of several
// types may share a name.
func (s source) functions() (found []*ast.FuncDecl) {
	for _, d := range s.file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			found = append(found, f)
		}
	}
	return found
}

// nameOf is the name of a function as Go writes it: New, App.Ready.
func nameOf(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	receiver := f.Recv.List[0].Type
	if pointer, ok := receiver.(*ast.StarExpr); ok {
		receiver = pointer.X
	}
	if name, ok := receiver.(*ast.Ident); ok {
		return name.Name + "." + f.Name.Name
	}
	return f.Name.Name
}

// built is what every service has: the functions of each file. A folder has none.
var built = map[string][]string{
	"/app/app.go":                    {"New", "App.Register", "App.Ready", "App.Close"},
	"/app/config.go":                 {"Config.check"},
	"/app/doc.go":                    nil,
	"/internal/grpcapi/doc.go":       nil,
	"/internal/grpcapi/register.go":  {"New", "API.Register"},
	"/internal/postgres/store.go":    {"New"},
	"/internal/postgres/doc.go":      nil,
	"/internal/postgres/sqlc/db.go":  nil,
	"/internal/postgres/migrations/": nil,
}

func TestServicesAreBuiltAlike(t *testing.T) {
	for _, service := range services {
		base := "services/" + service
		has := map[string][]string{}
		for _, s := range sources(t, base) {
			for _, f := range s.functions() {
				has[s.name] = append(has[s.name], nameOf(f))
			}
		}
		wanted := maps.Clone(built)
		wanted["/cmd/"+service+"/main.go"] = []string{"main"}
		for file, functions := range wanted {
			if service == "cvrender" && strings.Contains(file, "/postgres/") {
				continue
			}
			if _, err := fs.Stat(os.DirFS(".."), strings.TrimSuffix(base+file, "/")); err != nil {
				t.Errorf("%s has no %s", base, file)
			}
			for _, function := range functions {
				if !slices.Contains(has[base+file], function) {
					t.Errorf("%s%s has no function %s", base, file, function)
				}
			}
		}
	}
}

// shared are functions that services have alike: the name, and the parameters that every
// service gives them.
var shared = map[string][]string{
	"Store.tx": {"ctx", "doing", "do"},
	"errorOf":  {"doing", "err", "missing"},
	"Migrate":  {"ctx", "url"},
}

func TestWhatServicesShareHasOneNameAndOneForm(t *testing.T) {
	for _, service := range services {
		base := "services/" + service
		found := map[string]bool{}
		for _, s := range sources(t, base) {
			if s.name == base+"/app/app.go" && s.file.Scope.Lookup("Name") == nil {
				t.Errorf("%s has no constant Name", s.name)
			}
			for _, f := range s.functions() {
				if makesJob(f) && !strings.HasSuffix(f.Name.Name, "Job") && !strings.HasSuffix(s.name, "_test.go") {
					t.Errorf("%s: %s makes a periodic job: let its name end in Job", s.name, nameOf(f))
				}
				wanted, ok := shared[nameOf(f)]
				if s.name != base+"/internal/postgres/store.go" || !ok {
					continue
				}
				found[nameOf(f)] = true
				if got := parameters(f); !slices.Equal(got, wanted) {
					t.Errorf("%s: %s has the parameters %v, elsewhere %v", s.name, nameOf(f), got, wanted)
				}
			}
		}
		if service != "cvrender" && len(found) != len(shared) {
			t.Errorf("%s/internal/postgres/store.go has only %v of what the stores share", base, slices.Sorted(maps.Keys(found)))
		}
	}
}

// makesJob reports whether a function gives a periodic.Job.
func makesJob(f *ast.FuncDecl) bool {
	if f.Type.Results == nil {
		return false
	}
	return slices.ContainsFunc(f.Type.Results.List, func(result *ast.Field) bool {
		selected, ok := result.Type.(*ast.SelectorExpr)
		if !ok || selected.Sel.Name != "Job" {
			return false
		}
		from, ok := selected.X.(*ast.Ident)
		return ok && from.Name == "periodic"
	})
}

// parameters are the names of a function's parameters.
func parameters(f *ast.FuncDecl) (names []string) {
	for _, field := range f.Type.Params.List {
		for _, name := range field.Names {
			names = append(names, name.Name)
		}
	}
	return names
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
			for _, f := range s.functions() {
				if f.Recv == nil && direction.MatchString(f.Name.Name) {
					t.Errorf("%s: %s: name it <thing>ToProto or <thing>FromProto", s.name, f.Name.Name)
				}
			}
		}
	}
}

func TestFilesAndFunctionsStaySmall(t *testing.T) {
	for _, folder := range []string{"cli", "deploy", "docs", "e2e", "examples", "gateway", "pkg", "services"} {
		for _, s := range sources(t, folder) {
			if strings.HasSuffix(s.name, "_test.go") {
				continue // a story is as long as it is
			}
			if lines := s.fset.File(s.file.Pos()).LineCount(); lines > maxFile {
				t.Errorf("%s has %d lines, more than %d", s.name, lines, maxFile)
			}
			for _, f := range s.functions() {
				if lines := s.fset.Position(f.End()).Line - s.fset.Position(f.Pos()).Line + 1; lines > maxFunction {
					t.Errorf("%s: %s has %d lines, more than %d", s.name, nameOf(f), lines, maxFunction)
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

// examples are of the door and the resource that contributing/changes.md adds.
var examples = regexp.MustCompile(`/internal/(console|department)/`)

// named matches a path of the repository in backquotes; patterns such as
// `services/X/…` and `consent*.go` are not paths.
var named = regexp.MustCompile("`((?:services|gateway|pkg|cli|e2e|deploy)/[a-z0-9_./-]+)`")

func TestTheArchitectureNamesWhatIsThere(t *testing.T) {
	pages, err := fs.Glob(os.DirFS("."), "adr/*.md")
	if err != nil {
		t.Fatal(err)
	}
	names := 0
	for _, page := range append(pages, "architecture.md", "contributing/changes.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range named.FindAllStringSubmatch(string(text), -1) {
			names++
			if _, err := fs.Stat(os.DirFS(".."), strings.TrimSuffix(m[1], "/")); err != nil && !examples.MatchString(m[1]) {
				t.Errorf("docs/%s names %s, which does not exist", page, m[1])
			}
		}
	}
	if names < 40 {
		t.Fatalf("the pages name %d paths: the expression does not match them any more", names)
	}
}
