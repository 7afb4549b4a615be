// Package contract holds what the edge answers against what it says of itself: the
// OpenAPI document of GET /v1/openapi.json.
//
// It must never be told of a route, a field or a code: what is not in the document
// is a difference, and so is a fault of one of the two.
package contract
