// Package grpcx is what calls between parts have in common: connections, the request id
// and the caller's rights in the context, and the one place where errs and gRPC statuses
// turn into each other. A client adds its principal and request id, a deadline if there
// is none, and turns statuses back into errs.
//
// It must never link what only servers need (pkg/grpcserver), or metrics and traces: a
// command that makes a call and ends uses it too.
package grpcx
