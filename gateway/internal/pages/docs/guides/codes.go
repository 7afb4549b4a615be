package guides

import (
	"slices"

	"github.com/yuin/goldmark/ast"
)

// linkCodes turns code spans that contain an error code into links, except in headings and existing
// links.
func (r linker) linkCodes(source []byte, page ast.Node) {
	var found []*ast.CodeSpan
	_ = ast.Walk(page, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the callback never returns an error
		switch span := n.(type) {
		case *ast.Heading, *ast.Link:
			return ast.WalkSkipChildren, nil
		case *ast.CodeSpan:
			if entering && slices.Contains(r.codes, string(plain(source, span))) {
				found = append(found, span)
			}
		}
		return ast.WalkContinue, nil
	})
	for _, span := range found {
		link := ast.NewLink()
		link.Destination = append([]byte(Errors), plain(source, span)...)
		span.Parent().ReplaceChild(span.Parent(), span, link)
		link.AppendChild(link, span)
	}
}
