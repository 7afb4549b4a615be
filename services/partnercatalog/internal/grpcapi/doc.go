// Package grpcapi implements the service's gRPC contract. Each handler converts the request, calls
// one use case, and converts the result.
//
// The package contains no rules. A handler takes the app from the principal of the call, never from
// the request. grpcserver has checked the principal against the method's access option.
package grpcapi
