// Package api is the REST API, the listener at base_url. table.go lists its routes,
// resources.go those that are gRPC methods.
//
// It must have no logic of a route. A line of the table names the handler and the check of
// the credential before it. The handlers are in the packages below: rest (gRPC methods),
// oauth, pdf, photo, resume, openapi.
package api
