// Package openapi serves the OpenAPI document of the REST API
// (behaviour: openapi#the-document). cmd/protoc-gen-vitae-openapi makes the document
// from the contracts, with package generate, and it is committed here.
//
// It must never change the document, except for the addresses of the deployment. A
// fault in the document is mended in the contracts or in the generator.
package openapi
