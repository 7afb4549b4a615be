// Package grpcx contains what calls between services have in common: connections, the request id
// and the caller's rights in the context, and the conversion between errs and gRPC statuses. A
// client adds its principal and request id, sets a deadline if there is none, and converts statuses
// to errs.
//
// It must not import what only servers need (pkg/grpcserver), or metrics and traces, because
// command-line programs use it too.
package grpcx
