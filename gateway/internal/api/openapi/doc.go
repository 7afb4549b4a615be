// Package openapi serves the OpenAPI document of the REST API (behaviour: openapi#the-document).
// cmd/protoc-gen-vitae-openapi generates openapi.json from the contracts with package generate.
//
// The package must never change anything in the document except the deployment's URLs.
package openapi
