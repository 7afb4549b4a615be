package page

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// roleOf returns the ARIA role of an element (HTML-AAM). It supports the elements that the pages use.
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
	case "nav":
		return "navigation"
	case "table":
		return "table"
	case "tr":
		return "row"
	case "textarea":
		return "textbox"
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
			return "textbox" // a password field has no role; here it counts as a textbox
		}
	}
	return ""
}

// name returns the accessible name of an element (accname-1.2). It supports the elements that the pages
// use.
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
		return childText(n, "legend")
	case "table":
		return childText(n, "caption")
	case "section", "article", "form":
		return ""
	}
	return text(n)
}

// childText returns the text of the first child element with the given tag.
func childText(n *html.Node, kind string) string {
	for c := range n.ChildNodes() {
		if c.Data == kind {
			return text(c)
		}
	}
	return ""
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

// inline lists elements that do not separate words.
var inline = []string{"a", "abbr", "b", "bdi", "bdo", "cite", "code", "em", "i", "small", "span", "strong", "sub", "sup"}

func text(n *html.Node) string {
	var b strings.Builder
	write(&b, n)
	return strings.Join(strings.Fields(b.String()), " ")
}

// rawText returns the text in n with its white space.
func rawText(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return b.String()
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
