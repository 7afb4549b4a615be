// Package router finds the route of a request in a table that reads as the
// contents page of an interface. net/http's own mux redirects paths that it would
// spell otherwise, and answers 404 and 405 in a shape of its own.
//
// It must never look beyond method and path.
package router
