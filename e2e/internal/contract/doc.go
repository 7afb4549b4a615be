// Package contract compares what the REST API answers with what it promises: the OpenAPI
// document of GET /v1/openapi.json. It also makes faulty requests from the document.
//
// It must never know a route, a field or a code by itself. Whatever the document lacks
// is a difference, and a fault of the service or of the document.
package contract
