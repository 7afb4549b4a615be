// Package contract reads the REST interface from the .proto files: which methods are served, with which
// credential and scope, and how fields are written in JSON (vitae.options.v1).
//
// The package must never name a service or a route.
package contract
