package team

import (
	"context"

	"vitae.internal/services/auth/internal/platform/console"
)

// Caller is the console user on whose behalf a call is made.
type Caller struct {
	console.Session
	// AccountID is the account that the call is about, and Role is the user's role in it. Both are
	// empty for a method that any user may call.
	AccountID string
	Role      Role
}

type contextKey struct{}

// NewContext returns a context with the caller.
func NewContext(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, contextKey{}, c)
}

// FromContext returns the caller. It returns false for a call by an operator.
func FromContext(ctx context.Context) (Caller, bool) {
	c, is := ctx.Value(contextKey{}).(Caller)
	return c, is
}
