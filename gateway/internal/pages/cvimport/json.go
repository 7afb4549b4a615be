package cvimport

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"
)

// parseJSON makes a tree of a JSON file. Items of a list are parts with the name of the list.
func parseJSON(file []byte) (*node, error) {
	p := &jsonParser{decoder: json.NewDecoder(bytes.NewReader(file))}
	p.decoder.UseNumber()
	root := &node{}
	err := p.value(root, 0)
	if err == nil {
		if _, err = p.decoder.Token(); errors.Is(err, io.EOF) {
			return root, nil
		}
	}
	if unreadable := (*Unreadable)(nil); errors.As(err, &unreadable) {
		return nil, unreadable
	}
	at := p.decoder.InputOffset()
	if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
		at = max(at, syntax.Offset)
	}
	return nil, &Unreadable{Reason: ReasonBroken, Where: lineOf(file, at)}
}

// jsonParser reads a file once, from front to back.
type jsonParser struct {
	decoder *json.Decoder
	nodes   int
}

// value reads a value into n.
func (p *jsonParser) value(n *node, depth int) error {
	token, err := p.decoder.Token()
	if err != nil {
		return err
	}
	return p.rest(n, token, depth)
}

// rest reads what follows the first token of a value.
func (p *jsonParser) rest(n *node, token json.Token, depth int) error {
	if p.nodes++; p.nodes > maxNodes || depth > maxDepth || len(n.path) > maxPath {
		return tooLarge(n.path)
	}
	switch token := token.(type) {
	case json.Delim:
		if token == '{' {
			return p.object(n, depth)
		}
		return p.array(n, depth)
	case string:
		n.text = strings.TrimSpace(token)
	case json.Number:
		n.text = token.String()
	case bool:
		n.text = strconv.FormatBool(token)
	}
	return nil
}

func (p *jsonParser) object(n *node, depth int) error {
	for p.decoder.More() {
		key, err := p.decoder.Token()
		if err != nil {
			return err
		}
		name, _ := key.(string) // a key that is no string is an error of Token
		path := name
		if n.path != "" {
			path = n.path + "." + name
		}
		if err := p.member(n, name, path, depth+1); err != nil {
			return err
		}
	}
	_, err := p.decoder.Token() // the closing brace
	return err
}

// member adds the value of a key: an array as parts with the same name.
func (p *jsonParser) member(parent *node, name, path string, depth int) error {
	token, err := p.decoder.Token()
	if err != nil {
		return err
	}
	if token != json.Delim('[') {
		part := &node{name: name, path: path}
		parent.parts = append(parent.parts, part)
		return p.rest(part, token, depth)
	}
	list := &node{name: name, path: path}
	if err := p.array(list, depth); err != nil {
		return err
	}
	parent.parts = append(parent.parts, list.parts...)
	return nil
}

// array reads the items of an array as parts of n with the name of n.
func (p *jsonParser) array(n *node, depth int) error {
	for i := 0; p.decoder.More(); i++ {
		item := &node{name: n.name, path: indexed(n.path, i)}
		n.parts = append(n.parts, item)
		if err := p.value(item, depth+1); err != nil {
			return err
		}
	}
	_, err := p.decoder.Token() // the closing bracket
	return err
}

// lineOf is the number of the line of an offset.
func lineOf(file []byte, offset int64) string {
	return strconv.Itoa(1 + bytes.Count(file[:min(max(offset, 0), int64(len(file)))], []byte("\n")))
}
