// Package api is the REST API, which partners call at base_url: the table of its
// routes, which reads as its contents page. app wraps it in the chain of a listener.
//
// It must hold no logic of a route: a line of the table names the handler and what
// decides on the request before it.
package api
