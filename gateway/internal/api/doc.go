// Package api is the REST API, the listener at base_url. table.go lists its routes,
// resources.go those that are gRPC methods. Package app wraps the table in the middleware
// of package chain.
//
// It must hold no logic of a route. A line of the table names the handler and the
// check of the credential before it; the handlers are in the packages below: rest
// (gRPC methods), oauth, pdf, resume, openapi.
package api
