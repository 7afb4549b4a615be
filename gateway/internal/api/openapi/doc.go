// Package openapi serves the OpenAPI document of the REST interface (spec:
// Specification document). The document is made from the contracts by
// cmd/protoc-gen-vitae-openapi, with package generate, and committed here.
//
// It must never change what the document says but for the addresses of the
// deployment: what is wrong in it is wrong in the contracts or in the generator.
package openapi
