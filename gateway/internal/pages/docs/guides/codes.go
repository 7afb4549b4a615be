package guides

import (
	"slices"

	"github.com/yuin/goldmark/ast"
)

// linkCodes makes links of the codes that stand as code in a page, but for those in
// headings and in links.
func (r linker) linkCodes(source []byte, page ast.Node) {
	var found []*ast.CodeSpan
	_ = ast.Walk(page, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the function returns no error
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
