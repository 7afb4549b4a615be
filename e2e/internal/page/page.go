// Package page reads an HTML page as a person who cannot see it would: controls by
// role and accessible name, and the request that submitting a form sends. It runs
// no script; the pages must work without.
//
// It must never look at class names, ids or the names of form fields.
package page

import (
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// Page is one HTML document.
type Page struct {
	// URL it was read from.
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

// Lang and Dir are those of the document.
func (p *Page) Lang() string { return p.rootAttr("lang") }

// Dir is the document's text direction.
func (p *Page) Dir() string { return p.rootAttr("dir") }

func (p *Page) rootAttr(name string) string {
	for n := range p.root.Descendants() {
		if n.Type == html.ElementNode && n.Data == "html" { // the doctype is called so too
			return attr(n, name)
		}
	}
	return ""
}

// Text is all text of the page, spaces collapsed.
func (p *Page) Text() string { return text(p.root) }

// Has reports whether there is an element of the role and name.
func (p *Page) Has(role, name string) bool { return len(p.All(role, name)) > 0 }

// All are the elements of a role; with a name, those named so.
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

// All are the elements of a role, and with a name of that name, inside e.
func (e Element) All(role, name string) []Element { return e.page.within(e.node, role, name) }

// Name is the accessible name.
func (e Element) Name() string { return e.page.name(e.node) }

// Value is the value attribute, as it would be submitted.
func (e Element) Value() string { return attr(e.node, "value") }

// Text is the text of e, spaces collapsed.
func (e Element) Text() string { return text(e.node) }

// Checked reports the state of a checkbox, radio button or switch.
func (e Element) Checked() bool {
	return has(e.node, "checked") || attr(e.node, "aria-checked") == "true"
}

// Disabled reports whether a control cannot be used, itself or its field set.
func (e Element) Disabled() bool { return disabled(e.node) }

// Attr is an attribute, empty when it is not there.
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

// roleOf is the element's role, as far as the pages need (HTML-AAM).
func roleOf(n *html.Node) string {
	if role := attr(n, "role"); role != "" {
		return role
	}
	switch n.Data {
	case "a":
		return "link"
	case "button":
		return "button"
	case "select":
		return "combobox"
	case "option":
		return "option"
	case "fieldset":
		return "group"
	case "section":
		return "region"
	case "article":
		return "article"
	case "h1", "h2", "h3", "h4", "h5", "h6":
		return "heading"
	case "input":
		switch kind := attr(n, "type"); kind {
		case "checkbox", "radio":
			return kind
		case "submit", "button":
			return "button"
		case "hidden":
			return "hidden"
		default:
			return "textbox" // passwords have no role of their own
		}
	}
	return ""
}

// name is the accessible name (accname-1.2, as far as the pages need).
func (p *Page) name(n *html.Node) string {
	if ids := attr(n, "aria-labelledby"); ids != "" {
		var parts []string
		for id := range strings.FieldsSeq(ids) {
			if target, ok := p.byID[id]; ok {
				parts = append(parts, text(target))
			}
		}
		return strings.Join(parts, " ")
	}
	if label := attr(n, "aria-label"); label != "" {
		return label
	}
	switch n.Data {
	case "input", "select", "textarea":
		if attr(n, "type") == "submit" {
			return attr(n, "value")
		}
		return p.labelOf(n)
	case "fieldset":
		for c := range n.ChildNodes() {
			if c.Data == "legend" {
				return text(c)
			}
		}
		return ""
	case "section", "article", "form":
		return ""
	}
	return text(n)
}

func (p *Page) labelOf(control *html.Node) string {
	id := attr(control, "id")
	for n := range p.root.Descendants() {
		if n.Data == "label" && id != "" && attr(n, "for") == id {
			return text(n)
		}
	}
	for n := control.Parent; n != nil; n = n.Parent {
		if n.Data == "label" {
			return text(n)
		}
	}
	return ""
}

// inline elements part no words.
var inline = []string{"a", "abbr", "b", "bdi", "bdo", "cite", "code", "em", "i", "small", "span", "strong", "sub", "sup"}

func text(n *html.Node) string {
	var b strings.Builder
	write(&b, n)
	return strings.Join(strings.Fields(b.String()), " ")
}

func write(b *strings.Builder, n *html.Node) {
	if n.Type == html.TextNode {
		b.WriteString(n.Data)
	}
	if slices.Contains([]string{"script", "style", "select"}, n.Data) || has(n, "hidden") || attr(n, "aria-hidden") == "true" {
		return
	}
	for c := range n.ChildNodes() {
		write(b, c)
	}
	if n.Type == html.ElementNode && !slices.Contains(inline, n.Data) {
		b.WriteByte(' ')
	}
}

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func has(n *html.Node, name string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == name })
}

func disabled(n *html.Node) bool {
	for ; n != nil; n = n.Parent {
		if has(n, "disabled") {
			return true
		}
	}
	return false
}
