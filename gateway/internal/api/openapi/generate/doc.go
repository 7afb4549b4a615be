// Package generate builds the OpenAPI document of the REST API
// (behaviour: openapi#what-it-describes). Routes, fields and codes come from the
// contracts, read by package contract as in the REST API; statuses, tiers and headers come from
// tables of the gateway. The endpoints that are no gRPC methods (oauth.go, files.go) are
// written by hand, and a test of package api compares the document with the served routes.
//
// It must never be linked into the gateway, which serves the finished document, and must
// return the same bytes for the same contracts.
package generate
