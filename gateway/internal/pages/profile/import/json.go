package cvimport

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"vitae.internal/pkg/jsonread"
	"vitae.internal/pkg/pasted"
)

// parseJSON parses a JSON file into a tree. The items of a list become nodes with the name of the list.
func parseJSON(ctx context.Context, file []byte) (*node, error) {
	// The tree's depth limit takes effect before the reader's, which is higher.
	p := &jsonParser{ctx: ctx, Reader: jsonread.Lenient(file, 2*maxDepth)}
	root := &node{index: -1}
	err := p.value(root, 0)
	if err == nil {
		err = p.End()
	}
	if err == nil {
		return root, nil
	}
	if broken := (*jsonread.Fault)(nil); errors.As(err, &broken) {
		return nil, &Unreadable{Reason: ReasonBroken, Where: lineOf(file, int64(broken.Offset))}
	}
	if unreadable := (*Unreadable)(nil); errors.As(err, &unreadable) {
		return nil, unreadable
	}
	return nil, fmt.Errorf("cvimport: %w", err)
}

// jsonParser reads a file in a single pass.
type jsonParser struct {
	*jsonread.Reader
	ctx   context.Context //nolint:containedctx // the parser lives as long as the call
	nodes int
}

// inJSON separates the names in a path.
const inJSON = "."

// value reads a value into n.
func (p *jsonParser) value(n *node, depth int) error {
	if p.nodes++; p.nodes > maxNodes || depth > maxDepth || n.length > maxPath {
		return tooLarge(n.path(inJSON))
	}
	if err := p.ctx.Err(); err != nil {
		return err
	}
	switch p.Kind() {
	case jsonread.Object:
		return p.Object(func(name string) error { return p.member(n, name, depth+1) })
	case jsonread.Array:
		return p.array(n, node{name: n.name, bare: true}, depth)
	case jsonread.String:
		text, err := p.Text()
		n.text = unmarked(strings.TrimSpace(pasted.Text(text)))
		return err
	case jsonread.Number:
		text, err := p.Number()
		n.text = text
		return err
	case jsonread.Boolean:
		yes, err := p.Bool()
		n.text = strconv.FormatBool(yes)
		return err
	default:
		return p.Null()
	}
}

// member adds the value of a key. An array becomes several nodes with the same name.
func (p *jsonParser) member(parent *node, name string, depth int) error {
	if p.Kind() == jsonread.Array {
		return p.array(parent, node{name: name}, depth)
	}
	part := &node{name: name, index: -1}
	parent.add(part)
	return p.value(part, depth)
}

// array adds the items of an array to parent. Each is a copy of item with its own value.
func (p *jsonParser) array(parent *node, item node, depth int) error {
	return p.Array(func(i int) error {
		part := &node{name: item.name, bare: item.bare, index: i}
		parent.add(part)
		return p.value(part, depth+1)
	})
}

// lineOf returns the line number of an offset.
func lineOf(file []byte, offset int64) string {
	return strconv.Itoa(1 + bytes.Count(file[:min(max(offset, 0), int64(len(file)))], []byte("\n")))
}
