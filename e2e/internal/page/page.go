// Package page reads an HTML page as a screen reader presents it: controls by role and accessible name,
// and the request that submitting a form sends. It runs no scripts, because the pages must work without
// JavaScript.
//
// The package must not use class names, ids or names of form fields.
package page

import (
	"fmt"
	"io"
	"net/url"

	"golang.org/x/net/html"
)

// Page is an HTML document.
type Page struct {
	// URL is the URL of the page.
	URL *url.URL

	root *html.Node
	byID map[string]*html.Node
}

// Parse parses a document.
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

// Lang returns the language of the document.
func (p *Page) Lang() string { return p.rootAttr("lang") }

// Dir returns the text direction of the document.
func (p *Page) Dir() string { return p.rootAttr("dir") }

func (p *Page) rootAttr(name string) string {
	for n := range p.root.Descendants() {
		if n.Type == html.ElementNode && n.Data == "html" { // the doctype has this name too
			return attr(n, name)
		}
	}
	return ""
}

// Text returns the text of the page with whitespace collapsed.
func (p *Page) Text() string { return text(p.root) }

// Has reports whether the page has an element with the role and name.
func (p *Page) Has(role, name string) bool { return len(p.All(role, name)) > 0 }

// All returns the elements with the role and, unless it is empty, the name.
func (p *Page) All(role, name string) []Element { return p.within(p.root, role, name) }

// One returns the only element with the role and name.
func (p *Page) One(role, name string) (Element, error) {
	return only(p.All(role, name), role, name, p.URL)
}

// Element is an element of a page.
type Element struct {
	page *Page
	node *html.Node
}

// One returns the only element inside e with the role and name.
func (e Element) One(role, name string) (Element, error) {
	return only(e.page.within(e.node, role, name), role, name, e.page.URL)
}

// All returns the elements inside e with the role and, unless it is empty, the name.
func (e Element) All(role, name string) []Element { return e.page.within(e.node, role, name) }

// Name returns the accessible name.
func (e Element) Name() string { return e.page.name(e.node) }

// Value returns the value attribute.
func (e Element) Value() string { return attr(e.node, "value") }

// Chosen returns the text of the selected option of a select element.
func (e Element) Chosen() string {
	value := selected(e.node)
	for n := range e.node.Descendants() {
		if n.Data == "option" && optionValue(n) == value {
			return text(n)
		}
	}
	return ""
}

// Text returns the text of e with whitespace collapsed.
func (e Element) Text() string { return text(e.node) }

// Checked reports whether a checkbox, radio button or switch is on.
func (e Element) Checked() bool {
	return has(e.node, "checked") || attr(e.node, "aria-checked") == "true"
}

// Disabled reports whether a control or an enclosing fieldset is disabled.
func (e Element) Disabled() bool { return disabled(e.node) }

// Attr returns the value of an attribute, or "" if the element does not have it.
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
