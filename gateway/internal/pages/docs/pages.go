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

// page is a page for partners. Exactly one of HTML, Operation and Code is set.
type page struct {
	// template is the name of the page's template.
	template string
	// Path is the path of the page. Title is its heading.
	Path, Title string
	// Chapters are the entries of the page's table of contents.
	Chapters []guides.Chapter
	// Before and After link to the previous and next page in the list, or are nil if there is none.
	Before, After *link
	// HTML is the content of a guide.
	HTML template.HTML
	// Reference is the whole API reference. It is set only for the reference's first page.
	Reference reference.Reference
	Operation reference.Operation
	Code      codePage
}

// link is a link to a page.
type link struct{ Path, Label string }

// section is a section of the list of pages.
type section struct {
	Name  string
	Links []link
}

// codePage is the page about an error code of the REST API.
type codePage struct {
	// Code is the error code. Status is the HTTP status code with its phrase.
	Code, Status string
	// Means describes in which cases the API returns the code.
	Means template.HTML
	// Sample is a response that contains the code, or "" if the code is returned only in a
	// redirect.
	Sample template.HTML
	// Operations are links to the operations that may return the code.
	Operations []link
}

// rendered caches the documentation by rendering. A gateway has only one, but rendering it takes
// half of the time needed to create a gateway, and tests create hundreds.
var rendered sync.Map

// rendering identifies the input from which the documentation is rendered.
type rendering struct {
	at            guides.Addresses
	specification string
}

// newDocumentation returns the documentation. It renders the documentation unless the result is
// cached.
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

// render renders the pages. They are not modified afterwards.
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
	d.linkNeighbors()
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

// chaptersOf returns the table of contents of an operation's page. It must match the template.
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

// linkNeighbors links every page of the list to the previous and the next page.
func (d *documentation) linkNeighbors() {
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

// addCodes adds the pages about the error codes, one for each guide in texts.
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
		// The meaning of the code is inserted between the title and the first chapter.
		_, body, ok := strings.Cut(string(text.HTML), "</h1>")
		if !ok {
			return fmt.Errorf("pages: %s has no title", text.Path)
		}
		d.pages[text.Path] = page{
			template: "code", Path: text.Path, Title: text.Title, Chapters: text.Chapters, Code: c,
			HTML: template.HTML(body), //nolint:gosec // from a file in the repository; raw HTML in it is omitted
		}
	}
	return nil
}

// take adds op if one of failures has the code. op is nil for requests that match no operation. The
// sample of the page is the first one that contains the code, or else the last one.
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

// entries returns the search entries. Pages come before their chapters.
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
