package guides

import (
	"strings"

	"github.com/yuin/goldmark/ast"
)

// chapters splits the content below a page's title at its headings.
func chapters(source []byte, title ast.Node) []Chapter {
	all := []Chapter{{Level: 2}}
	for n := title.NextSibling(); n != nil; n = n.NextSibling() {
		if heading, ok := n.(*ast.Heading); ok {
			id, _ := heading.AttributeString("id")
			fragment, _ := id.([]byte)
			all = append(all, Chapter{ID: string(fragment), Title: string(plain(source, heading)), Level: heading.Level})
			continue
		}
		last := &all[len(all)-1]
		last.Text = strings.TrimSpace(last.Text + " " + strings.Join(strings.Fields(string(plain(source, n))), " "))
	}
	return all
}

// plain returns the text of a node without markup. Lines and table cells end in a space.
func plain(source []byte, n ast.Node) []byte {
	if t, ok := n.(*ast.Text); ok {
		out := t.Segment.Value(source)
		if t.SoftLineBreak() || t.HardLineBreak() {
			return append(out[:len(out):len(out)], ' ')
		}
		return out
	}
	if block, ok := n.(*ast.FencedCodeBlock); ok {
		return block.Lines().Value(source)
	}
	var out []byte
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		out = append(out, plain(source, c)...)
	}
	if n.Type() == ast.TypeBlock && n.Kind() != ast.KindHeading {
		out = append(out, ' ')
	}
	return out
}
