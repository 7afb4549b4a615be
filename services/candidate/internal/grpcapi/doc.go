// Package grpcapi serves the use cases over the gRPC contract. Each handler converts the request, calls one
// use case, and converts the result.
//
// It contains no rules and makes no privacy decisions. Package grpcserver checks the caller, the credential
// and the scope before a handler runs. The principal of a partner's call is in the call's metadata, which
// grpcserver accepts only from allowed callers.
package grpcapi
