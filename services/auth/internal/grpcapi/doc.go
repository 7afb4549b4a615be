// Package grpcapi serves vitae.auth.v1. Each handler converts a request to a call to a domain package, and the
// result to a response.
//
// The handlers decide only on whose behalf an Actor acts; all other decisions are made in the domain packages.
package grpcapi
