// Package grpcx contains the code that clients and servers of internal calls share. It covers
// connections, the request id and the caller's rights in the context, and the conversion between
// errs and gRPC statuses. A client adds its principal and request id, sets a deadline if there is
// none, and converts statuses to errs.
//
// The package must not import packages that only servers need (pkg/grpcserver), or metrics and
// traces, because command-line programs use it too.
package grpcx
