// Package grpcserver is the gRPC server of every part, with one order of interceptors.
// A server counts, recovers from panics, traces, logs, checks the caller's certificate,
// the credential and the scope against the access option of the method, takes over the
// principal, validates the request, and only then calls the handler. In a stream it
// validates every message.
//
// It must never be linked into vitaectl, which calls parts and serves none: the
// validator alone is a third of such a program.
package grpcserver
