// Package edge is the REST edge as one handler: the table of its routes, which
// reads as the interface's contents page, and the router that serves it.
//
// It must hold no logic of a route; a line of the table names the handler and what
// stands before it.
package api
