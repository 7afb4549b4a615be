package browser

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// Click scrolls the element into view and clicks its middle with the mouse.
func (e Element) Click() {
	e.b.t.Helper()
	id := e.node.BackendDOMNodeID
	call(e.b, dom.ScrollIntoViewIfNeeded, dom.ScrollIntoViewIfNeededParams{BackendNodeID: id})
	quads := call(e.b, dom.GetContentQuads, dom.GetContentQuadsParams{BackendNodeID: id}).Quads
	if len(quads) == 0 || len(quads[0]) != 8 {
		e.b.check(errors.New(e.Name() + " is not visible"))
	}
	q := quads[0]
	e.b.do(chromedp.MouseClickXY((q[0]+q[4])/2, (q[1]+q[5])/2))
}

// Set turns a checkbox or switch on or off. It clicks only if the state differs.
func (e Element) Set(on bool) {
	e.b.t.Helper()
	if e.Checked() != on {
		e.Click()
	}
}

// Fill enters a value into a field.
func (e Element) Fill(value string) {
	e.b.t.Helper()
	e.Focus()
	call(e.b, input.InsertText, input.InsertTextParams{Text: value})
}

// Focus moves the focus to the element.
func (e Element) Focus() {
	e.b.t.Helper()
	call(e.b, dom.Focus, dom.FocusParams{BackendNodeID: e.node.BackendDOMNodeID})
}

// Remove deletes the element from the page, to simulate a release that does not have it.
func (e Element) Remove() {
	e.b.t.Helper()
	e.run("function() { this.remove(); return '' }")
}

// Text returns the visible text of the element.
func (e Element) Text() string {
	e.b.t.Helper()
	return e.run("function() { return this.innerText }")
}

// Attribute returns an attribute's value, or "" if the element does not have the attribute.
func (e Element) Attribute(name string) string {
	e.b.t.Helper()
	return e.run(fmt.Sprintf("function() { return this.getAttribute(%q) ?? '' }", name))
}

func (e Element) run(function string) string {
	e.b.t.Helper()
	object := call(e.b, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: e.node.BackendDOMNodeID}).Object
	result := call(e.b, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
		FunctionDeclaration: function, ObjectID: object.ObjectID, ReturnByValue: new(true),
	})
	var s string
	e.b.check(json.Unmarshal([]byte(result.Result.Value), &s))
	return s
}

// Focused returns the element that has the keyboard focus.
func (b *Browser) Focused() Element {
	b.t.Helper()
	object := call(b, runtime.Evaluate, runtime.EvaluateParams{Expression: "document.activeElement"}).Result
	nodes := call(b, accessibility.GetPartialAXTree, accessibility.GetPartialAXTreeParams{
		ObjectID: object.ObjectID, FetchRelatives: new(false),
	}).Nodes
	if len(nodes) == 0 {
		b.check(errors.New("no element has the focus"))
	}
	return Element{b, nodes[0]}
}

// Attach selects a local file in a file field.
func (e Element) Attach(file string) {
	e.b.t.Helper()
	call(e.b, dom.SetFileInputFiles, dom.SetFileInputFilesParams{Files: []string{file}, BackendNodeID: e.node.BackendDOMNodeID})
}

// Offline simulates a lost network connection, or restores the connection.
func (b *Browser) Offline(off bool) {
	b.t.Helper()
	call(b, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{
		MatchedNetworkConditions: []*network.Conditions{{DownloadThroughput: -1, UploadThroughput: -1, Offline: off}},
	})
	call(b, network.OverrideNetworkState, network.OverrideNetworkStateParams{Offline: off, DownloadThroughput: -1, UploadThroughput: -1})
}
