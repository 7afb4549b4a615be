package cvimport

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"vitae.internal/pkg/pasted"
)

// parseXML parses an XML file into a tree, without namespace prefixes. Attributes become nodes whose names
// start with @. encoding/xml expands only the predefined entities, and parseXML rejects a document type
// declaration, which could define others.
func parseXML(ctx context.Context, file []byte) (*node, error) {
	decoder := xml.NewDecoder(bytes.NewReader(file))
	decoder.CharsetReader = asItIs
	p := &xmlParser{ctx: ctx}
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) && p.root != nil && len(p.open) == 0 {
			return p.root, nil
		}
		if err == nil {
			err = p.take(token)
		}
		if unreadable := (*Unreadable)(nil); errors.As(err, &unreadable) {
			return nil, unreadable
		}
		if ctx.Err() != nil {
			return nil, fmt.Errorf("cvimport: %w", ctx.Err())
		}
		if err != nil {
			return nil, &Unreadable{Reason: ReasonBroken, Where: lineOf(file, decoder.InputOffset())}
		}
	}
}

// xmlParser holds the open elements, outermost first.
type xmlParser struct {
	ctx   context.Context //nolint:containedctx // the parser lives as long as the call
	root  *node
	open  []*node
	nodes int
}

// inXML separates the names in a path.
const inXML = "/"

var errSecondRoot = errors.New("cvimport: more than one root element")

func (p *xmlParser) take(token xml.Token) error {
	switch token := token.(type) {
	case xml.Directive:
		return &Unreadable{Reason: ReasonDoctype}
	case xml.StartElement:
		return p.start(token)
	case xml.EndElement:
		closed := p.open[len(p.open)-1]
		closed.text, closed.raw, closed.named = strings.TrimSpace(pasted.Text(string(closed.raw))), nil, nil
		p.open = p.open[:len(p.open)-1]
	case xml.CharData:
		if len(p.open) > 0 {
			inner := p.open[len(p.open)-1]
			inner.raw = append(inner.raw, token...)
		}
	}
	return nil
}

func (p *xmlParser) start(element xml.StartElement) error {
	n := &node{name: element.Name.Local, index: -1, length: len(element.Name.Local)}
	if len(p.open) == 0 {
		if p.root != nil {
			return errSecondRoot
		}
		p.root = n
	} else {
		parent := p.open[len(p.open)-1]
		if parent.named == nil {
			parent.named = map[string]int{}
		}
		if parent.named[n.name]++; parent.named[n.name] > 1 {
			n.index = parent.named[n.name] // as XPath counts
		}
		parent.add(n)
	}
	p.open = append(p.open, n)
	p.nodes += 1 + len(element.Attr)
	if p.nodes > maxNodes || len(p.open) > maxDepth || n.length > maxPath {
		return tooLarge(n.path(inXML))
	}
	if err := p.ctx.Err(); err != nil {
		return err
	}
	for _, a := range element.Attr {
		part := &node{
			name: "@" + a.Name.Local, index: -1, text: strings.TrimSpace(pasted.Text(a.Value)),
			// The location of a schema and the code list of a code say nothing about the person.
			taken: a.Name.Space == "xmlns" || a.Name.Local == "xmlns" || strings.Contains(a.Name.Space, "XMLSchema-instance"),
		}
		if !n.add(part) {
			return tooLarge(part.path(inXML))
		}
	}
	return nil
}
