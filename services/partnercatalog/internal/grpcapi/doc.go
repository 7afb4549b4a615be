// Package grpcapi implements the gRPC contract of the service with its use cases:
// each handler converts the request, calls one use case, and converts the outcome.
//
// It holds no rules. It takes the app of a partner's call from the principal of the
// call, never from a request: grpcserver has checked the principal against the access
// option of the method.
package grpcapi
