package browser

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// Element is an element in the page's accessibility tree.
type Element struct {
	b    *Browser
	node *accessibility.Node
}

func call[P, R any](b *Browser, c cdp.Command[P, R], params P) R {
	b.t.Helper()
	result, err := chromedp.Call(b.ctx, c, params)
	b.check(err)
	return result
}

// Find waits until exactly one element has the role and accessible name, and returns it.
func (b *Browser) Find(role, name string) Element {
	b.t.Helper()
	var found Element
	b.until(fmt.Sprintf("find %s %q", role, name), func() error {
		all, err := b.query(role, name, 0)
		if err == nil && len(all) != 1 {
			err = fmt.Errorf("%d elements", len(all))
		}
		if err == nil {
			found = all[0]
		}
		return err
	})
	return found
}

// FindWith waits until exactly one element has the role and a name that contains part, and returns it.
func (b *Browser) FindWith(role, part string) Element {
	b.t.Helper()
	var found []Element
	b.until(fmt.Sprintf("find %s with %q", role, part), func() error {
		all, err := b.query(role, "", 0)
		if err != nil {
			return err
		}
		found = slices.DeleteFunc(all, func(e Element) bool { return !strings.Contains(e.Name(), part) })
		if len(found) != 1 {
			return fmt.Errorf("%d elements", len(found))
		}
		return nil
	})
	return found[0]
}

// Has reports whether the page has an element with the role and name now. It returns false while a new
// page is loading.
func (b *Browser) Has(role, name string) bool {
	b.t.Helper()
	all, err := b.query(role, name, 0)
	return err == nil && len(all) > 0
}

// Find is like [Browser.Find], but searches only inside e.
func (e Element) Find(role, name string) Element {
	e.b.t.Helper()
	var found Element
	e.b.until(fmt.Sprintf("find %s %q inside", role, name), func() error {
		all, err := e.b.query(role, name, e.node.BackendDOMNodeID)
		if err == nil && len(all) != 1 {
			err = fmt.Errorf("%d elements", len(all))
		}
		if err == nil {
			found = all[0]
		}
		return err
	})
	return found
}

// All returns the elements with a role. It waits while a new page is loading.
func (b *Browser) All(role string) (all []Element) {
	b.t.Helper()
	b.until("elements of role "+role, func() (err error) {
		all, err = b.query(role, "", 0)
		return err
	})
	return all
}

// query searches the accessibility tree below a node, or the whole document if below is 0. It returns
// an error while a new page is loading.
func (b *Browser) query(role, name string, below cdp.BackendNodeID) ([]Element, error) {
	params := accessibility.QueryAXTreeParams{BackendNodeID: below, Role: role, AccessibleName: name}
	if below == 0 {
		// DOM.getDocument would make Chromium report every change to the document.
		document, err := chromedp.Call(b.ctx, runtime.Evaluate, runtime.EvaluateParams{Expression: "document"})
		if err != nil {
			return nil, err
		}
		params.ObjectID = document.Result.ObjectID
	}
	result, err := chromedp.Call(b.ctx, accessibility.QueryAXTree, params)
	if err != nil {
		return nil, err
	}
	var found []Element
	for _, n := range result.Nodes {
		if !n.Ignored {
			found = append(found, Element{b, n})
		}
	}
	return found, nil
}

// Name returns the accessible name.
func (e Element) Name() string { return text(e.node.Name) }

// Checked reports whether a checkbox, radio button or switch is on.
func (e Element) Checked() bool { return e.property("checked") == "true" }

// Disabled reports whether the control is disabled.
func (e Element) Disabled() bool { return e.property("disabled") == "true" }

func (e Element) property(name accessibility.PropertyName) string {
	for _, p := range e.node.Properties {
		if p.Name == name {
			return text(p.Value)
		}
	}
	return ""
}

func text(v *accessibility.Value) string {
	if v == nil {
		return ""
	}
	var s any
	if json.Unmarshal([]byte(v.Value), &s) != nil || s == nil {
		return ""
	}
	return fmt.Sprint(s)
}

// Role returns the role in the accessibility tree.
func (e Element) Role() string { return text(e.node.Role) }
