// Package openapi serves the OpenAPI document of the REST API (behaviour: openapi#the-document).
// cmd/protoc-gen-vitae-openapi generates openapi.json from the contracts with package generate.
//
// It must never change the document, except for the addresses of the deployment.
package openapi
