// Package grpcapi serves the contracts of vitae.auth.v1. Each handler converts a request to a call
// of a domain package, and the result to a response.
//
// The only decision that it makes is on whose behalf an Actor acts.
package grpcapi
