package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// mutant is a file with one fault.
type mutant struct {
	// file is its path from the root of the repository.
	file string
	line int
	// function that holds the fault, for example "Service.Create"; the query's name for
	// SQL; empty outside of both.
	function string
	// kind says what was done.
	kind string
	// before and after are the text that was changed, on one line.
	before, after string

	// The fault replaces the bytes of the file from start to end.
	start, end  int
	replacement string
}

func (m mutant) String() string {
	return fmt.Sprintf("%s:%d  %s: %s  =>  %s", m.file, m.line, m.kind, short(m.before), short(m.after))
}

// short is a text that fits on a line with others.
func short(s string) string {
	const most = 90
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return s
}

// source gives the changed file.
func (m mutant) source(original []byte) []byte {
	return slices.Concat(original[:m.start], []byte(m.replacement), original[m.end:])
}

// mutantsOf plants every fault in the Go files of a package, one each.
func mutantsOf(root, folder string) ([]mutant, error) {
	files, err := filepath.Glob(filepath.Join(root, folder, "*.go"))
	if err != nil {
		return nil, err
	}
	var all []mutant
	for _, file := range files {
		name := filepath.Base(file)
		if strings.HasSuffix(name, "_test.go") || name == "doc.go" {
			continue
		}
		source, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		found, err := mutantsIn(path.Join(folder, name), source)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// mutantsIn plants every fault in a file.
func mutantsIn(name string, source []byte) ([]mutant, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, source, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	p := &planter{name: name, source: source, file: fset.File(file.Pos())}
	if ast.IsGenerated(file) {
		p.queries(file)
		return p.found, nil
	}
	for _, d := range file.Decls {
		p.function = nameOf(d)
		p.declaration(d)
	}
	return p.found, nil
}

// nameOf is the name of a function as Go writes it; empty for other declarations.
func nameOf(d ast.Decl) string {
	f, ok := d.(*ast.FuncDecl)
	if !ok {
		return ""
	}
	if f.Recv == nil {
		return f.Name.Name
	}
	receiver := f.Recv.List[0].Type
	if pointer, ok := receiver.(*ast.StarExpr); ok {
		receiver = pointer.X
	}
	if generic, ok := receiver.(*ast.IndexExpr); ok {
		receiver = generic.X
	}
	if name, ok := receiver.(*ast.Ident); ok {
		return name.Name + "." + f.Name.Name
	}
	return f.Name.Name
}

// planter collects the mutants of a file.
type planter struct {
	name     string
	source   []byte
	file     *token.File
	function string
	found    []mutant
}

func (p *planter) offset(pos token.Pos) int { return p.file.Offset(pos) }

// text is the source of a node.
func (p *planter) text(n ast.Node) string {
	return string(p.source[p.offset(n.Pos()):p.offset(n.End())])
}

// plant replaces a node.
func (p *planter) plant(kind string, n ast.Node, replacement string) {
	p.plantAt(kind, p.offset(n.Pos()), p.offset(n.End()), replacement)
}

// plantAt replaces the bytes from start to end.
func (p *planter) plantAt(kind string, start, end int, replacement string) {
	p.found = append(p.found, mutant{
		file: p.name, line: p.file.Line(p.file.Pos(start)), function: p.function, kind: kind,
		before: oneLine(string(p.source[start:end])), after: oneLine(replacement),
		start: start, end: end, replacement: replacement,
	})
}

// plantInLine is plantAt for a word that says little by itself: it shows the line around
// it.
func (p *planter) plantInLine(kind string, start, end int, replacement string) {
	p.plantAt(kind, start, end, replacement)
	first, last := bytes.LastIndexByte(p.source[:start], '\n')+1, len(p.source)
	if n := bytes.IndexByte(p.source[end:], '\n'); n >= 0 {
		last = end + n
	}
	m := &p.found[len(p.found)-1]
	m.before = oneLine(string(p.source[first:last]))
	m.after = oneLine(string(p.source[first:start]) + replacement + string(p.source[end:last]))
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
