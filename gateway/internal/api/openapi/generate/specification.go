package generate

import (
	"net/http"
	"strconv"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/api/openapi"
)

// specification adds the operation that serves this document, and the answers to
// requests that match no operation.
func (b *builder) specification() error {
	s := b.surfaces.open
	s.name, s.anyOrigin = "Specification", true
	op := begin(tagSpecification, "getOpenApi", "Get this document",
		"This document, with the URLs of the deployment that serves it. It needs no credential and counts against no quota.", s, "")
	op.Parameters = []Parameter{ifNoneMatch()}
	has := []header{entityTag, shortPublic}
	r := Response{Description: "The OpenAPI document.", Headers: b.headers(append(everywhere(), has...), nil)}
	var p Map[*Schema]
	p.Set("openapi", (&Schema{Type: Types{"string"}, Pattern: `^3\.1\.`}).described("Version of OpenAPI."))
	p.Set("info", typed("object").described("What the document describes."))
	p.Set("paths", typed("object").described("The operations."))
	p.Set("components", typed("object").described("What the operations share."))
	document := object(p).described("An OpenAPI 3.1 document.")
	document.Additional = &Schema{} // OpenAPI defines the rest
	r.Content.Set("application/json", MediaTypeBody{
		Schema: b.schemas.add("OpenApiDocument", document),
		Examples: named(op.OperationID, pairs{
			"openapi", version, "info", pairs{"title", title, "version", "2.0.0"}.object(), "paths", Map[any]{}, "components", Map[any]{},
		}.object()),
	})
	op.succeed(http.StatusOK, r)
	op.succeed(http.StatusNotModified, b.unchanged(has))
	if err := b.finish(http.MethodGet, openapi.Path, op, s, nil); err != nil {
		return err
	}
	return b.elsewhere()
}

// elsewhere describes the 404 for unknown paths and the 405 for unknown methods.
// They belong to no operation.
func (b *builder) elsewhere() error {
	none := surface{name: "Unserved", sometimes: crossOrigin} // a 405 of an open path has them
	for _, code := range []string{answer.CodeNotFound, answer.CodeMethodNotAllowed} {
		status, _ := answer.StatusOf(code)
		r, err := b.failureOf(none, status, []string{code})
		if err != nil {
			return err
		}
		if code == answer.CodeMethodNotAllowed {
			r.Headers.Set("Allow", Header{Description: "Methods that the path takes.", Required: true, Schema: typed("string"), Example: "GET, HEAD"})
		}
		b.doc.Elsewhere.Set(strconv.Itoa(status), r)
	}
	return nil
}
