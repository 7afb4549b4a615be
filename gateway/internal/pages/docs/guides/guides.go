// Package guides converts the Markdown of vitae.internal/docs to HTML once, when the gateway
// starts.
//
// It must never process text from outside the repository, because the pages do not escape its HTML.
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

// Path prefixes of the documentation.
const (
	Prefix = "/docs/"
	// Reference is the first page of the API reference.
	Reference = "/docs/reference"
	// Errors is the path prefix of the pages about error codes.
	Errors = "/docs/errors/"
)

// Addresses are the URLs of this deployment, without trailing slashes. They replace the local URLs
// that the guides contain.
type Addresses struct{ Base, App, Legacy, Console string }

// Guide is a rendered page.
type Guide struct {
	// Path is the path of the page, for example "/docs/errors".
	Path string
	// Label is the page's name in the list of pages.
	Label string
	// Title is the first heading, as plain text.
	Title string
	// HTML is the content, starting with the first heading.
	HTML template.HTML
	// Chapters are the headings below the title in order, each with the text below it. The first
	// chapter is the text before the first heading; it has no ID and no Title.
	Chapters []Chapter
}

// Chapter is a heading with the text up to the next heading.
type Chapter struct {
	// ID is the heading's URL fragment.
	ID string
	// Title is the heading, as plain text.
	Title string
	// Level is the heading level, 2 or 3.
	Level int
	// Text is the text below the heading, without markup. It includes tables and code.
	Text string
}

// markdown renders CommonMark with tables, using package code for code blocks. It omits raw HTML.
var markdown = goldmark.New(goldmark.WithExtensions(extension.Table), goldmark.WithParserOptions(parser.WithAutoHeadingID()),
	goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(codeBlocks{}, 100))))

// codeBlocks renders fenced code blocks.
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

// Markdown renders Markdown from the repository that is not a guide.
func Markdown(text string) (template.HTML, error) {
	var html bytes.Buffer
	if err := markdown.Convert([]byte(text), &html); err != nil {
		return "", fmt.Errorf("guides: %w", err)
	}
	return template.HTML(html.String()), nil //nolint:gosec // from the repository; raw HTML in it is omitted
}

// Render renders the guides in the order of the list. Code spans that contain one of codes become
// links to the page about that code. It fails if a page has no title or label, or if a link leads
// to no page.
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

// pathOf returns the path of a guide. A guide without a name is the first page.
func pathOf(name string) string { return strings.TrimSuffix(Prefix+name, "/") }

// Page renders Markdown from the repository that is not in a file. Its links must be paths or URLs.
func Page(source []byte) (Guide, error) { return linker{}.guide(source) }

// linker maps file names to guide names. codes are the error codes that have pages.
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

// link converts a link to a guide's file to a link to the guide's page.
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

// sections renders a page, with each chapter on a card.
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
