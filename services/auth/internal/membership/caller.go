package membership

import (
	"context"

	"vitae.internal/services/auth/internal/console"
)

// Caller is the person of the console for whom a call is made.
type Caller struct {
	console.Session
	// AccountID and Role are the account that the call is about, and the person's role in
	// it; empty for a method that any person may call.
	AccountID string
	Role      Role
}

type contextKey struct{}

// NewContext returns a context that carries the person to the handler.
func NewContext(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, contextKey{}, c)
}

// FromContext gives the person for whom the call is made; false for a call of an operator.
func FromContext(ctx context.Context) (Caller, bool) {
	c, is := ctx.Value(contextKey{}).(Caller)
	return c, is
}
