// Package contract compares responses of the REST API with the OpenAPI document that the API serves at
// GET /v1/openapi.json. It also generates invalid requests from the document.
//
// The package must not know any route, field or code. If the document and the service differ, one of
// them is wrong.
package contract
