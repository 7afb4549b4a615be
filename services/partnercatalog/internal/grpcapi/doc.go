// Package grpcapi puts the use cases of the service behind its gRPC contract:
// each handler converts, calls one use case, and converts back.
//
// It holds no rules. It takes the app of a partner's call from the call's
// principal, which grpcx takes from allowed callers only, and never from a
// request.
package grpcapi
