// Package grpcapi serves the use cases over gRPC. Each handler converts the request, calls one use case,
// and converts the result.
//
// It contains no rules and makes no privacy decisions. Package grpcserver checks the caller, the credential
// and the scope before a handler runs. If a call is made for a partner, its metadata contains the
// principal. grpcserver accepts this metadata only from allowed callers.
package grpcapi
