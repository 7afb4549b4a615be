package grpcx

import (
	"context"

	"google.golang.org/grpc/metadata"
)

// requestIDKey is the key of the request id in the metadata of a call.
const requestIDKey = "vitae-request-id"

type (
	requestIDContextKey struct{}
	operatorContextKey  struct{}
)

// WithRequestID returns a context that carries the id of the outside request.
func WithRequestID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, requestIDContextKey{}, id)
}

// RequestID is the id of the outside request that ctx belongs to, empty if none.
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDContextKey{}).(string)
	return id
}

// IncomingRequestID is the id of the outside request as the metadata of the call that
// a server has taken names it, empty if none.
func IncomingRequestID(ctx context.Context) string {
	if ids := metadata.ValueFromIncomingContext(ctx, requestIDKey); len(ids) == 1 {
		return ids[0]
	}
	return ""
}

// WithOperator returns the context of a call whose caller may, or may not, act for any
// person. The server sets it before the handler runs.
func WithOperator(ctx context.Context, is bool) context.Context {
	return context.WithValue(ctx, operatorContextKey{}, is)
}

// IsOperator reports whether the caller of the method that serves ctx may act for
// any person, by the method's access option.
func IsOperator(ctx context.Context) bool {
	is, _ := ctx.Value(operatorContextKey{}).(bool)
	return is
}
