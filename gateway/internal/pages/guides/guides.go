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
	"github.com/yuin/goldmark/text"

	"vitae.internal/docs"
)

// Prefix is the path below which the guides are served.
const Prefix = "/docs/"

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
}

// markdown is CommonMark with tables. Markup in a text stays text.
var markdown = goldmark.New(goldmark.WithExtensions(extension.Table), goldmark.WithParserOptions(parser.WithAutoHeadingID()))

// Render renders every guide, in the order of docs.Guides. It fails on a page
// without a title or label and on a link that leads nowhere.
func Render(files fs.FS, list []docs.Guide, at Addresses) ([]Guide, error) {
	r := renderer{names: map[string]string{}}
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
		guide.Path, guide.Label = Prefix+g.Name, g.Label
		out = append(out, guide)
	}
	return out, nil
}

// renderer knows the guides' names by those of their files.
type renderer struct{ names map[string]string }

func (r renderer) guide(source []byte) (Guide, error) {
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
	var html bytes.Buffer
	if err := sections(&html, source, page); err != nil {
		return Guide{}, err
	}
	return Guide{Title: string(plain(source, title)), HTML: template.HTML(html.String())}, nil
}

// link turns a link to a file of the guides into a link to the page of that guide.
func (r renderer) link(n ast.Node, entering bool) (ast.WalkStatus, error) {
	link, ok := n.(*ast.Link)
	if !ok || !entering {
		return ast.WalkContinue, nil
	}
	target := string(link.Destination)
	if strings.HasPrefix(target, "http://") || strings.HasPrefix(target, "https://") || strings.HasPrefix(target, "#") {
		return ast.WalkContinue, nil
	}
	file, fragment, _ := strings.Cut(target, "#")
	name, known := r.names[path.Base(file)]
	if !known {
		return ast.WalkStop, fmt.Errorf("the link %q leads to no guide", target)
	}
	link.Destination = []byte(Prefix + name)
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

// plain is the text of a node without its markup.
func plain(source []byte, n ast.Node) []byte {
	var out []byte
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			out = append(out, t.Segment.Value(source)...)
			continue
		}
		out = append(out, plain(source, c)...)
	}
	return out
}
