// Package grpcapi serves the use cases of the service over its gRPC contract: each
// handler converts, calls one use case, and converts back.
//
// It holds no rules and no privacy decision. grpcserver has checked the caller,
// the credential and the scope before a handler runs. The principal of a partner's
// call comes from the call's metadata, which grpcserver accepts from allowed callers only.
package grpcapi
