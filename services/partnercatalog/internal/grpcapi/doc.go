// Package grpcapi implements the service's gRPC contract. Each handler converts the request, calls
// one use case, and converts the result.
//
// It contains no rules. The app comes from the principal of the call, never from the request:
// grpcserver has checked the principal against the access option of the method.
package grpcapi
