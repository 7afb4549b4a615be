package page

import (
	"fmt"
	"net/url"
	"strings"

	"golang.org/x/net/html"
)

// Form is a form with the values that a person has entered.
type Form struct {
	page    *Page
	node    *html.Node
	filled  map[*html.Node]string
	checked map[*html.Node]bool
}

// Submission is the request sent when a form is submitted.
type Submission struct {
	Method string
	URL    *url.URL
	Body   url.Values
}

// FormOf returns the form that a control belongs to.
func (p *Page) FormOf(control Element) (*Form, error) {
	if id := attr(control.node, "form"); id != "" {
		if n, ok := p.byID[id]; ok {
			return newForm(p, n), nil
		}
	}
	for n := control.node; n != nil; n = n.Parent {
		if n.Data == "form" {
			return newForm(p, n), nil
		}
	}
	return nil, fmt.Errorf("%s: %q does not belong to a form", p.URL, control.Name())
}

func newForm(p *Page, n *html.Node) *Form {
	return &Form{page: p, node: n, filled: map[*html.Node]string{}, checked: map[*html.Node]bool{}}
}

// Fill enters a value into a text field.
func (f *Form) Fill(field Element, value string) { f.filled[field.node] = value }

// Check ticks or unticks a checkbox, or selects a radio button.
func (f *Form) Check(control Element, on bool) {
	f.checked[control.node] = on
	if !on || attr(control.node, "type") != "radio" {
		return
	}
	for _, n := range f.controls() {
		if n != control.node && attr(n, "type") == "radio" && attr(n, "name") == attr(control.node, "name") {
			f.checked[n] = false
		}
	}
}

// Select selects an option by its text.
func (f *Form) Select(control Element, option string) error {
	for n := range control.node.Descendants() {
		if n.Data == "option" && text(n) == option {
			f.filled[control.node] = optionValue(n)
			return nil
		}
	}
	return fmt.Errorf("%s: %q has no option %q", f.page.URL, control.Name(), option)
}

// Submit returns the request that pressing the button sends (HTML Standard, "Constructing the entry
// list").
func (f *Form) Submit(button Element) (Submission, error) {
	if button.Disabled() {
		return Submission{}, fmt.Errorf("%s: button %q is disabled", f.page.URL, button.Name())
	}
	action := attr(f.node, "action")
	if own := attr(button.node, "formaction"); own != "" {
		action = own
	}
	target, err := f.page.URL.Parse(action)
	if err != nil {
		return Submission{}, err
	}
	body := url.Values{}
	for _, n := range f.controls() {
		f.add(body, n)
	}
	if name := attr(button.node, "name"); name != "" {
		body.Add(name, attr(button.node, "value"))
	}
	return Submission{Method: strings.ToUpper(attr(f.node, "method")), URL: target, Body: body}, nil
}

func (f *Form) add(body url.Values, n *html.Node) {
	name := attr(n, "name")
	if name == "" || disabled(n) {
		return
	}
	value, filled := f.filled[n]
	switch {
	case n.Data == "button" || attr(n, "type") == "submit":
		return
	case n.Data == "select":
		if !filled {
			value = selected(n)
		}
	case attr(n, "type") == "checkbox" || attr(n, "type") == "radio":
		on, changed := f.checked[n]
		if !changed {
			on = has(n, "checked")
		}
		if !on {
			return
		}
		value = "on"
		if has(n, "value") {
			value = attr(n, "value")
		}
	case !filled && n.Data == "textarea":
		value = strings.ReplaceAll(rawText(n), "\n", "\r\n") // as browsers submit lines
	case !filled:
		value = attr(n, "value")
	}
	body.Add(name, value)
}

// SubmitButton returns the form's only submit button.
func (f *Form) SubmitButton() (Element, error) {
	var found []Element
	for _, n := range f.controls() {
		if (n.Data == "button" && attr(n, "type") != "button") || (n.Data == "input" && attr(n, "type") == "submit") {
			found = append(found, Element{f.page, n})
		}
	}
	if len(found) != 1 {
		return Element{}, fmt.Errorf("%s: a form with %d submit buttons, want one", f.page.URL, len(found))
	}
	return found[0], nil
}

// controls returns the form's controls in document order, including controls outside the form that
// refer to it with their form attribute.
func (f *Form) controls() []*html.Node {
	id := attr(f.node, "id")
	inside := map[*html.Node]bool{}
	for n := range f.node.Descendants() {
		inside[n] = true
	}
	var found []*html.Node
	for n := range f.page.root.Descendants() {
		switch n.Data {
		case "input", "select", "textarea", "button":
			owner := attr(n, "form")
			if (owner == "" && inside[n]) || (owner != "" && owner == id) {
				found = append(found, n)
			}
		}
	}
	return found
}

func selected(n *html.Node) string {
	first, hasFirst := "", false
	for o := range n.Descendants() {
		if o.Data != "option" {
			continue
		}
		if has(o, "selected") {
			return optionValue(o)
		}
		if !hasFirst {
			first, hasFirst = optionValue(o), true
		}
	}
	return first
}

func optionValue(n *html.Node) string {
	if has(n, "value") {
		return attr(n, "value")
	}
	return text(n)
}
