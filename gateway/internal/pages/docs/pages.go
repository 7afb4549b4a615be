package docs

import (
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"vitae.internal/docs"
	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/pages/docs/guides"
	"vitae.internal/gateway/internal/pages/docs/reference"
	"vitae.internal/gateway/internal/pages/docs/search"
	"vitae.internal/gateway/internal/pages/shell"
)

// page is a page for partners. It has one of HTML, Operation and Code.
type page struct {
	// template is the name of its template.
	template string
	// Path is its address, Title its heading.
	Path, Title string
	// Chapters are the contents of the page.
	Chapters []guides.Chapter
	// Before and After are its neighbours in the list of pages, nil for none.
	Before, After *link
	// HTML is the text of a guide.
	HTML template.HTML
	// Reference is all of the reference, for its first page.
	Reference reference.Reference
	Operation reference.Operation
	Code      codePage
}

// link leads to a page.
type link struct{ Path, Label string }

// section is a part of the list of pages.
type section struct {
	Name  string
	Links []link
}

// codePage is the page of a code of the REST API.
type codePage struct {
	// Code is the code, Status that of HTTP with its phrase.
	Code, Status string
	// Means says when it is the answer.
	Means template.HTML
	// Sample is such an answer, "" for a code that comes by a redirect alone.
	Sample template.HTML
	// Operations are those that fail with it.
	Operations []link
}

// rendered has the documentation of every rendering. A deployment has one; to render it takes
// half of the time in which a gateway is made, and tests make hundreds.
var rendered sync.Map

// rendering is what a documentation is made of.
type rendering struct {
	at            guides.Addresses
	specification string
}

// newDocumentation makes all pages for partners.
func newDocumentation(sh *shell.Shell, cfg Config) (documentation, error) {
	of := rendering{cfg.Addresses, string(cfg.Specification)}
	d, there := rendered.Load(of)
	if !there {
		made, err := of.render()
		if err != nil {
			return documentation{}, err
		}
		d, _ = rendered.LoadOrStore(of, made)
	}
	out := d.(documentation)
	out.Shell, out.openapi = sh, cfg.OpenAPI
	return out, nil
}

// render makes the pages, which nothing changes afterwards.
func (of rendering) render() (documentation, error) {
	list := slices.Clone(docs.Guides)
	for _, code := range answer.Codes() {
		list = append(list, docs.Guide{Name: docs.ErrorFolder + "/" + code, Label: code, File: docs.ErrorFolder + "/" + code + ".md"})
	}
	texts, err := guides.Render(docs.Files, list, answer.Codes(), of.at)
	if err != nil {
		return documentation{}, err
	}
	ref, err := reference.New([]byte(of.specification))
	if err != nil {
		return documentation{}, err
	}
	d := documentation{pages: map[string]page{}, console: of.at.Console}
	d.addGuides(texts[:len(docs.Guides)])
	d.addReference(ref)
	d.linkNeighbours()
	if err := d.addCodes(texts[len(docs.Guides):], ref); err != nil {
		return documentation{}, err
	}
	d.index = search.New(entries(texts, ref))
	return d, nil
}

func (d *documentation) addGuides(texts []guides.Guide) {
	section := section{Name: "Guides"}
	for _, g := range texts {
		d.pages[g.Path] = page{template: "guide", Path: g.Path, Title: g.Title, Chapters: g.Chapters, HTML: g.HTML}
		section.Links = append(section.Links, link{g.Path, g.Label})
	}
	d.sections = append(d.sections, section)
}

func (d *documentation) addReference(ref reference.Reference) {
	first := page{template: "reference", Path: reference.Path, Title: "API reference", HTML: ref.Introduction.HTML, Reference: ref}
	first.Chapters = slices.Clone(ref.Introduction.Chapters)
	d.sections = append(d.sections, section{Name: "API reference", Links: []link{{reference.Path, "Overview"}}})
	for _, g := range ref.Groups {
		first.Chapters = append(first.Chapters, guides.Chapter{ID: g.ID, Title: g.Name, Level: 2})
		section := section{Name: g.Name}
		for _, op := range g.Operations {
			d.pages[op.Path] = page{template: "operation", Path: op.Path, Title: op.Summary, Chapters: chaptersOf(op), Operation: op}
			section.Links = append(section.Links, link{op.Path, op.Summary})
		}
		d.sections = append(d.sections, section)
	}
	d.pages[reference.Path] = first
}

// chaptersOf are the parts of the page of an operation, as its template has them.
func chaptersOf(op reference.Operation) []guides.Chapter {
	chapters := []guides.Chapter{{ID: "request", Title: "Request", Level: 2}}
	add := func(there bool, id, title string) {
		if there {
			chapters = append(chapters, guides.Chapter{ID: id, Title: title, Level: 2})
		}
	}
	add(len(op.Samples) > 0, "code", "Code")
	add(op.Body != nil && len(op.Body.Examples) > 0, "sample-body", "Sample body")
	add(true, "responses", "Responses")
	add(true, "errors", "Errors")
	return chapters
}

// linkNeighbours links every page of the list with its neighbours.
func (d *documentation) linkNeighbours() {
	var all []link
	for _, s := range d.sections {
		all = append(all, s.Links...)
	}
	for i, link := range all {
		p := d.pages[link.Path]
		if i > 0 {
			p.Before = &all[i-1]
		}
		if i+1 < len(all) {
			p.After = &all[i+1]
		}
		d.pages[link.Path] = p
	}
}

// addCodes adds the pages of the codes, one for each text.
func (d *documentation) addCodes(texts []guides.Guide, ref reference.Reference) error {
	for _, text := range texts {
		status, _ := answer.StatusOf(text.Label)
		words, public := answer.CodeOf(text.Label)
		if !public || text.Title != text.Label {
			return fmt.Errorf("pages: the text of %s is one of %s", text.Label, text.Title)
		}
		means, err := guides.Markdown(words.Means)
		if err != nil {
			return err
		}
		c := codePage{Code: text.Label, Status: strconv.Itoa(status) + " " + http.StatusText(status), Means: means}
		for _, op := range ref.Operations() {
			for _, a := range op.Answers {
				c.take(a.Codes, &link{op.Path, op.Summary})
			}
		}
		c.take(ref.Elsewhere, nil)
		// What the code means goes between the title of the text and its first chapter.
		_, body, ok := strings.Cut(string(text.HTML), "</h1>")
		if !ok {
			return fmt.Errorf("pages: %s has no title", text.Path)
		}
		d.pages[text.Path] = page{
			template: "code", Path: text.Path, Title: text.Title, Chapters: text.Chapters, Code: c,
			HTML: template.HTML(body), //nolint:gosec // a text of the repository, whose markup stays text
		}
	}
	return nil
}

// take adds an operation if one of its failures has the code; op is nil for requests that
// match none. The sample is the first in the envelope, or else the first.
func (c *codePage) take(failures []reference.Failure, op *link) {
	for _, f := range failures {
		if f.Code != c.Code {
			continue
		}
		if op != nil {
			c.Operations = append(c.Operations, *op)
		}
		if c.Sample == "" || !strings.Contains(string(c.Sample), f.Code) {
			c.Sample = f.Example
		}
	}
}

// entries are what can be found: pages before their chapters.
func entries(texts []guides.Guide, ref reference.Reference) []search.Entry {
	var all []search.Entry
	for _, g := range append(slices.Clone(texts), guides.Guide{
		Path: reference.Path, Title: "API reference", Chapters: ref.Introduction.Chapters,
	}) {
		for _, c := range g.Chapters {
			path := g.Path
			if c.ID != "" {
				path += "#" + c.ID
			}
			all = append(all, search.Entry{Path: path, Title: g.Title, Heading: c.Title, Text: c.Text})
		}
	}
	for _, op := range ref.Operations() {
		text := op.Method + " " + op.Route + " " + op.ID + " " + op.Text
		for _, f := range op.Fields() {
			text += " " + f
		}
		all = append(all, search.Entry{Path: op.Path, Title: op.Summary, Text: strings.Join(strings.Fields(text), " ")})
	}
	return all
}
