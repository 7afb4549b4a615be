// Package grpcapi serves the contracts of vitae.auth.v1. Each handler turns a message
// into a call of a domain package, and the result back into a message.
//
// Its only decision is for which person an Actor acts.
package grpcapi
