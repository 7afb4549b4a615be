// Package api implements the REST API, the listener at base_url. table.go lists its routes, and resources.go
// lists the routes that are gRPC methods.
//
// The package must not contain the logic of any route. Each row of the table names the handler and the
// credential check that precedes it. The handlers are in the packages below: rest (gRPC methods), oauth, pdf,
// photo, resume, openapi.
package api
