// Package generate builds the OpenAPI document of the REST API
// (behaviour: openapi#what-it-describes). Routes, fields and codes come from the contracts
// (package contract). Statuses, tiers and headers come from the gateway's own tables. The
// endpoints that are not gRPC methods (oauth.go, files.go, specification.go) are written by
// hand, and a test of package api compares the document with the routes that are served.
//
//   - builder.go: the order of the document; endpoints that are not gRPC methods
//   - methods.go, schemas.go: operations and schemas from the contracts
//   - failures.go, headers.go, surface.go: what operations share
//   - samples.go, code.go, snippet: examples and code samples
//
// It must never be linked into the gateway, and must return the same bytes for the same
// contracts.
package generate
