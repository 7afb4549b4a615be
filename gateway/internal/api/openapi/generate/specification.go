package generate

import (
	"net/http"

	"vitae.internal/gateway/internal/api/openapi"
	"vitae.internal/gateway/internal/api/openapi/model"
)

// specification returns the endpoint that serves this document.
func (b *builder) specification() endpoint {
	s := b.surfaces.open
	s.name, s.anyOrigin = "Specification", true
	document := model.Object(model.MapOf[*model.Schema](
		"openapi", (&model.Schema{Type: model.Types{"string"}, Pattern: `^3\.1\.`}).Described("Version of OpenAPI."),
		"info", model.Typed("object").Described("What the document describes."),
		"paths", model.Typed("object").Described("The operations."),
		"components", model.Typed("object").Described("What the operations share."),
	)).Described("An OpenAPI 3.1 document.")
	document.Additional = &model.Schema{} // OpenAPI defines the other properties
	const id = "getOpenApi"
	return endpoint{
		method: http.MethodGet, path: openapi.Path, surface: s, tag: tagSpecification, id: id, summary: "Get this document",
		text:   "This document, with the URLs of the deployment that serves it. It needs no credential and counts against no quota.",
		status: http.StatusOK, description: "The OpenAPI document.", headers: []header{entityTag, shortPublic}, conditional: true,
		content: jsonContent(b.schemas.add("OpenApiDocument", document), named(id, model.MapOf[any](
			"openapi", version, "info", model.MapOf[any]("title", title, "version", "2.0.0"), "paths", model.Map[any]{}, "components", model.Map[any]{},
		))),
	}
}

// jsonContent returns the content of a JSON body.
func jsonContent(schema *model.Schema, examples model.Examples) model.Map[model.MediaTypeBody] {
	return model.MapOf[model.MediaTypeBody]("application/json", model.MediaTypeBody{Schema: schema, Examples: examples})
}

func named(name string, value any) model.Examples {
	return model.MapOf[model.Example](name, model.Example{Value: value})
}
