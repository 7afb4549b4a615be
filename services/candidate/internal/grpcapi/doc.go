// Package grpcapi serves the use cases over the gRPC contract: each handler converts, calls one use
// case, and converts back.
//
// It has no rules and makes no privacy decisions. grpcserver has checked the caller, the credential
// and the scope before a handler runs. The principal of a partner's call is in the call's metadata,
// which grpcserver accepts only from allowed callers.
package grpcapi
