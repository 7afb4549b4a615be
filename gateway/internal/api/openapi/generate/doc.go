// Package generate makes the OpenAPI document of the REST interface (spec:
// Specification document). Routes, fields and codes come from the contracts, read
// by the package that the edge serves them from (internal/contract), and from the
// edge's own tables of codes, tiers and headers; the endpoints that no gRPC method
// stands behind (oauth.go, files.go, specification.go) are written here by hand,
// and a test of package edge compares all of it with what is served.
//
// It must never be linked into the edge, which serves the finished document, and
// it must give the same bytes for the same contracts.
package generate
