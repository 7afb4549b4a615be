package cvimport

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"vitae.internal/pkg/pasted"
)

// parseJSON makes a tree of a JSON file. Items of a list are parts with the name of the list.
func parseJSON(ctx context.Context, file []byte) (*node, error) {
	p := &jsonParser{ctx: ctx, decoder: json.NewDecoder(bytes.NewReader(file))}
	p.decoder.UseNumber()
	root := &node{index: -1}
	err := p.value(root, 0)
	if err == nil {
		if _, err = p.decoder.Token(); errors.Is(err, io.EOF) {
			return root, nil
		}
	}
	if unreadable := (*Unreadable)(nil); errors.As(err, &unreadable) {
		return nil, unreadable
	}
	if ctx.Err() != nil {
		return nil, fmt.Errorf("cvimport: %w", ctx.Err())
	}
	at := p.decoder.InputOffset()
	if syntax := (*json.SyntaxError)(nil); errors.As(err, &syntax) {
		at = max(at, syntax.Offset)
	}
	return nil, &Unreadable{Reason: ReasonBroken, Where: lineOf(file, at)}
}

// jsonParser reads a file once, from front to back.
type jsonParser struct {
	ctx     context.Context //nolint:containedctx // it ends with the file
	decoder *json.Decoder
	nodes   int
}

// inJSON separates the names of a path.
const inJSON = "."

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
	if p.nodes++; p.nodes > maxNodes || depth > maxDepth || n.length > maxPath {
		return tooLarge(n.path(inJSON))
	}
	if err := p.ctx.Err(); err != nil {
		return err
	}
	switch token := token.(type) {
	case json.Delim:
		if token == '{' {
			return p.object(n, depth)
		}
		return p.array(n, &node{name: n.name, bare: true}, depth)
	case string:
		n.text = unmarked(strings.TrimSpace(pasted.Text(token)))
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
		if err := p.member(n, name, depth+1); err != nil {
			return err
		}
	}
	_, err := p.decoder.Token() // the closing brace
	return err
}

// member adds the value of a key: an array as parts with the same name.
func (p *jsonParser) member(parent *node, name string, depth int) error {
	token, err := p.decoder.Token()
	if err != nil {
		return err
	}
	if token == json.Delim('[') {
		return p.array(parent, &node{name: name}, depth)
	}
	part := &node{name: name, index: -1}
	parent.add(part)
	return p.rest(part, token, depth)
}

// array adds the items of an array to parent, each like item.
func (p *jsonParser) array(parent, item *node, depth int) error {
	for i := 0; p.decoder.More(); i++ {
		part := &node{name: item.name, bare: item.bare, index: i}
		parent.add(part)
		if err := p.value(part, depth+1); err != nil {
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
