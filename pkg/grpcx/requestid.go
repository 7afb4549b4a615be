package grpcx

import "context"

type requestIDContextKey struct{}

// WithRequestID returns a context that carries the id of the outside request.
func WithRequestID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, requestIDContextKey{}, id)
}

// RequestID is the id of the outside request that ctx belongs to, empty if none.
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDContextKey{}).(string)
	return id
}
