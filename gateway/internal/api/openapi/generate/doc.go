// Package generate makes the OpenAPI document of the REST API
// (behaviour: openapi#what-it-describes). Routes, fields and codes come from the
// contracts, through package contract, which the REST API reads them with too.
// Statuses, tiers and headers come from the gateway's own tables. The endpoints that
// are not gRPC methods (oauth.go, files.go, specification.go) are written by hand,
// and a test of package api compares the document with the routes that are served.
//
// It must never be linked into the gateway, which serves the finished document. It
// must give the same bytes for the same contracts.
package generate
