// Package guides turns the Markdown of vitae.internal/docs into HTML for the pages,
// once, when the gateway starts.
//
// It must never take a text from outside the repository: its HTML is not escaped again.
package guides

import (
	"bytes"
	"fmt"
	"html/template"
	"io/fs"
	"path"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"vitae.internal/docs"
	"vitae.internal/gateway/internal/pages/docs/code"
)

// Paths below which the pages for partners are served.
const (
	Prefix = "/docs/"
	// Reference is the first page of the API reference.
	Reference = "/docs/reference"
	// Errors begins the path of the page of a code.
	Errors = "/docs/errors/"
)

// Addresses are those of this deployment, in whose place the guides name those of a
// local stack. None ends in a slash.
type Addresses struct{ Base, App, Legacy, Console string }

// Guide is a rendered page.
type Guide struct {
	// Path is where it is served, for example "/docs/errors".
	Path string
	// Label is what it is called in the list of pages.
	Label string
	// Title is its first heading, as text.
	Title string
	// HTML is its content, from the first heading on.
	HTML template.HTML
	// Chapters are its headings below the title, in their order, with the text below each.
	// The first is what stands before them, without ID and Title.
	Chapters []Chapter
}

// Chapter is a heading and what stands below it, up to the next one.
type Chapter struct {
	// ID is the fragment of its address.
	ID string
	// Title is the heading, as text.
	Title string
	// Level is 2 or 3.
	Level int
	// Text is what stands below it, tables and code included, without markup.
	Text string
}

// markdown is CommonMark with tables, its code drawn by package code. Markup in a text
// stays text.
var markdown = goldmark.New(goldmark.WithExtensions(extension.Table), goldmark.WithParserOptions(parser.WithAutoHeadingID()),
	goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(codeBlocks{}, 100))))

// codeBlocks draws fenced code.
type codeBlocks struct{}

func (codeBlocks) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindFencedCodeBlock, func(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		block := n.(*ast.FencedCodeBlock)
		_, err := w.WriteString(string(code.Block(string(block.Language(source)), string(block.Lines().Value(source)))))
		return ast.WalkSkipChildren, err
	})
}

// Markdown renders a text of the repository that is no guide, without chapters.
func Markdown(text string) (template.HTML, error) {
	var html bytes.Buffer
	if err := markdown.Convert([]byte(text), &html); err != nil {
		return "", fmt.Errorf("guides: %w", err)
	}
	return template.HTML(html.String()), nil //nolint:gosec // a text of the repository, whose markup stays text
}

// Render renders every guide, in the order of the list. A code among codes, wherever it
// stands as code in a sentence, leads to the page of that code. It fails on a page without
// a title or label and on a link that leads nowhere.
func Render(files fs.FS, list []docs.Guide, codes []string, at Addresses) ([]Guide, error) {
	r := linker{names: map[string]string{}, codes: codes}
	for _, g := range list {
		r.names[path.Base(g.File)] = g.Name
	}
	local := strings.NewReplacer(docs.BaseURL, at.Base, docs.AppURL, at.App, docs.LegacyURL, at.Legacy, docs.ConsoleURL, at.Console)
	var out []Guide
	for _, g := range list {
		if g.Label == "" {
			return nil, fmt.Errorf("guides: %s has no label", g.File)
		}
		raw, err := fs.ReadFile(files, g.File)
		if err != nil {
			return nil, fmt.Errorf("guides: %w", err)
		}
		guide, err := r.guide([]byte(local.Replace(string(raw))))
		if err != nil {
			return nil, fmt.Errorf("guides: %s: %w", g.File, err)
		}
		guide.Path, guide.Label = pathOf(g.Name), g.Label
		out = append(out, guide)
	}
	return out, nil
}

// pathOf is the path of a guide. The one without a name is the first page.
func pathOf(name string) string { return strings.TrimSuffix(Prefix+name, "/") }

// Page renders a text of the repository that is no file. Its links lead to paths or
// addresses.
func Page(source []byte) (Guide, error) { return linker{}.guide(source) }

// linker knows the guides' names by those of their files, and the codes that have a page.
type linker struct {
	names map[string]string
	codes []string
}

func (r linker) guide(source []byte) (Guide, error) {
	page := markdown.Parser().Parse(text.NewReader(source))
	title, ok := page.FirstChild().(*ast.Heading)
	if !ok || title.Level != 1 {
		return Guide{}, fmt.Errorf("does not begin with a title")
	}
	if lead, ok := title.NextSibling().(*ast.Paragraph); ok {
		lead.SetAttributeString("class", []byte("lead"))
	}
	if err := ast.Walk(page, r.link); err != nil {
		return Guide{}, err
	}
	r.linkCodes(source, page)
	var html bytes.Buffer
	if err := sections(&html, source, page); err != nil {
		return Guide{}, err
	}
	return Guide{Title: string(plain(source, title)), HTML: template.HTML(html.String()), Chapters: chapters(source, title)}, nil
}

// link turns a link to a file of the guides into a link to the page of that guide.
func (r linker) link(n ast.Node, entering bool) (ast.WalkStatus, error) {
	link, ok := n.(*ast.Link)
	if !ok || !entering {
		return ast.WalkContinue, nil
	}
	target := string(link.Destination)
	if strings.HasPrefix(target, "http://") || strings.HasPrefix(target, "https://") || strings.HasPrefix(target, "#") || r.names == nil {
		return ast.WalkContinue, nil
	}
	file, fragment, _ := strings.Cut(target, "#")
	name, known := r.names[path.Base(file)]
	if !known {
		return ast.WalkStop, fmt.Errorf("the link %q leads to no guide", target)
	}
	link.Destination = []byte(pathOf(name))
	if fragment != "" {
		link.Destination = append(link.Destination, "#"+fragment...)
	}
	return ast.WalkContinue, nil
}

// sections writes a page with each of its chapters on a card.
func sections(w *bytes.Buffer, source []byte, page ast.Node) error {
	open := false
	for n := page.FirstChild(); n != nil; n = n.NextSibling() {
		if heading, ok := n.(*ast.Heading); ok && heading.Level == 2 {
			if open {
				w.WriteString("</section>\n")
			}
			w.WriteString("<section class=\"card\">\n")
			open = true
		}
		if err := markdown.Renderer().Render(w, source, n); err != nil {
			return err
		}
	}
	if open {
		w.WriteString("</section>\n")
	}
	return nil
}
