// Package page reads an HTML page as a screen reader presents it: controls by role and
// accessible name, and the request that submitting a form sends. It runs no script,
// because the pages must work without.
//
// It must never look at class names, ids or the names of form fields.
package page

import (
	"fmt"
	"io"
	"net/url"

	"golang.org/x/net/html"
)

// Page is one HTML document.
type Page struct {
	// URL of the page.
	URL *url.URL

	root *html.Node
	byID map[string]*html.Node
}

// Parse reads a document.
func Parse(at *url.URL, body io.Reader) (*Page, error) {
	root, err := html.Parse(body)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", at, err)
	}
	p := &Page{URL: at, root: root, byID: map[string]*html.Node{}}
	for n := range root.Descendants() {
		if id := attr(n, "id"); id != "" {
			p.byID[id] = n
		}
	}
	return p, nil
}

// Lang is the language of the document.
func (p *Page) Lang() string { return p.rootAttr("lang") }

// Dir is the text direction of the document.
func (p *Page) Dir() string { return p.rootAttr("dir") }

func (p *Page) rootAttr(name string) string {
	for n := range p.root.Descendants() {
		if n.Type == html.ElementNode && n.Data == "html" { // the doctype has this name too
			return attr(n, name)
		}
	}
	return ""
}

// Text is the text of the page, with spaces collapsed.
func (p *Page) Text() string { return text(p.root) }

// Has reports whether there is an element of the role and name.
func (p *Page) Has(role, name string) bool { return len(p.All(role, name)) > 0 }

// All are the elements of a role, and of a name unless it is empty.
func (p *Page) All(role, name string) []Element { return p.within(p.root, role, name) }

// One is the only element of a role and name.
func (p *Page) One(role, name string) (Element, error) {
	return only(p.All(role, name), role, name, p.URL)
}

// Element is one element of a page.
type Element struct {
	page *Page
	node *html.Node
}

// One is the only element of a role and name inside e.
func (e Element) One(role, name string) (Element, error) {
	return only(e.page.within(e.node, role, name), role, name, e.page.URL)
}

// All are the elements inside e of a role, and of a name unless it is empty.
func (e Element) All(role, name string) []Element { return e.page.within(e.node, role, name) }

// Name is the accessible name.
func (e Element) Name() string { return e.page.name(e.node) }

// Value is the value attribute, as it would be submitted.
func (e Element) Value() string { return attr(e.node, "value") }

// Chosen is the text of the option that a select has chosen.
func (e Element) Chosen() string {
	value := selected(e.node)
	for n := range e.node.Descendants() {
		if n.Data == "option" && optionValue(n) == value {
			return text(n)
		}
	}
	return ""
}

// Text is the text of e, with spaces collapsed.
func (e Element) Text() string { return text(e.node) }

// Checked reports the state of a checkbox, radio button or switch.
func (e Element) Checked() bool {
	return has(e.node, "checked") || attr(e.node, "aria-checked") == "true"
}

// Disabled reports whether a control, or a fieldset around it, is disabled.
func (e Element) Disabled() bool { return disabled(e.node) }

// Attr is the value of an attribute, empty if the element has none.
func (e Element) Attr(name string) string { return attr(e.node, name) }

func (p *Page) within(n *html.Node, role, name string) []Element {
	var found []Element
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && roleOf(d) == role && (name == "" || p.name(d) == name) {
			found = append(found, Element{p, d})
		}
	}
	return found
}

func only(found []Element, role, name string, at *url.URL) (Element, error) {
	if len(found) != 1 {
		return Element{}, fmt.Errorf("%s: %d elements of role %s named %q, want one", at, len(found), role, name)
	}
	return found[0], nil
}
