// Package grpcapi puts the use cases of the service behind its gRPC contract:
// each handler converts, calls one use case, and converts back.
//
// It holds no rules and no privacy decision. The principal of a partner's call
// comes from the call's metadata, which grpcx takes from allowed callers only.
package grpcapi
