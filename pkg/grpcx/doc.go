// Package grpcx builds the gRPC servers and clients of every part, with one
// order of interceptors, and holds the one place where errs and gRPC statuses
// turn into each other.
//
// A server recovers from panics, traces, logs, checks the caller's certificate
// against the method's list, takes over the principal, validates the request,
// and only then calls the handler; in a stream, it validates every message. A
// client adds its principal and request id, a deadline if there is none, and
// turns statuses back into errs.
package grpcx
