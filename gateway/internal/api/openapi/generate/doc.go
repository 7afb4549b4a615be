// Package generate builds the OpenAPI document of the REST API (behaviour: openapi#what-it-describes). Routes,
// fields and codes come from the contracts (package contract). Statuses, tiers and headers come from the
// gateway's own tables. Endpoints that are not gRPC methods (oauth.go, files.go, specification.go) are written
// by hand. A test of package api compares the document with the served routes.
//
// - builder.go: the order of the document, and endpoints that are not gRPC methods.
// - methods.go, schemas.go: operations and schemas from the contracts.
// - failures.go, headers.go, surface.go: responses and headers that operations share.
// - samples.go, code.go, snippet: examples and code samples.
//
// The package must never be linked into the gateway, and must produce the same bytes for the same contracts.
package generate
