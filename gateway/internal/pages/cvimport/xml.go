package cvimport

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
)

// parseXML makes a tree of an XML file, without the prefixes of namespaces. An attribute is a
// part with an @ before its name. encoding/xml knows no entities but those of XML itself, and a
// document type declaration, which could define others, is refused.
func parseXML(file []byte) (*node, error) {
	decoder := xml.NewDecoder(bytes.NewReader(file))
	decoder.CharsetReader = func(string, io.Reader) (io.Reader, error) { return nil, &Unreadable{Reason: ReasonEncoding} }
	p := &xmlParser{}
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
		if err != nil {
			return nil, &Unreadable{Reason: ReasonBroken, Where: lineOf(file, decoder.InputOffset())}
		}
	}
}

// xmlParser has the elements that are open, outermost first.
type xmlParser struct {
	root  *node
	open  []*node
	nodes int
}

var errSecondRoot = errors.New("cvimport: more than one root element")

func (p *xmlParser) take(token xml.Token) error {
	switch token := token.(type) {
	case xml.Directive:
		return &Unreadable{Reason: ReasonDoctype}
	case xml.StartElement:
		return p.start(token)
	case xml.EndElement:
		closed := p.open[len(p.open)-1]
		closed.text, closed.raw, closed.named = strings.TrimSpace(string(closed.raw)), nil, nil
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
	n := &node{name: element.Name.Local, path: element.Name.Local}
	if len(p.open) == 0 {
		if p.root != nil {
			return errSecondRoot
		}
		p.root = n
	} else {
		parent := p.open[len(p.open)-1]
		n.path = parent.path + "/" + n.name
		if parent.named == nil {
			parent.named = map[string]int{}
		}
		if parent.named[n.name]++; parent.named[n.name] > 1 {
			n.path = indexed(n.path, parent.named[n.name]) // as XPath counts
		}
		parent.parts = append(parent.parts, n)
	}
	p.open = append(p.open, n)
	p.nodes += 1 + len(element.Attr)
	if p.nodes > maxNodes || len(p.open) > maxDepth || len(n.path) > maxPath {
		return tooLarge(n.path)
	}
	for _, a := range element.Attr {
		name := "@" + a.Name.Local
		if len(n.path)+len(name) > maxPath {
			return tooLarge(n.path + "/" + name)
		}
		n.parts = append(n.parts, &node{
			name: name, path: n.path + "/" + name, text: strings.TrimSpace(a.Value),
			// Where a schema is and which list a code is of says nothing about the person.
			taken: a.Name.Space == "xmlns" || a.Name.Local == "xmlns" || strings.Contains(a.Name.Space, "XMLSchema-instance"),
		})
	}
	return nil
}
