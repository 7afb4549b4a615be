package team

import (
	"context"

	"vitae.internal/services/auth/internal/platform/console"
)

// Caller is the console user on whose behalf a call is made.
type Caller struct {
	console.Session
	// AccountID is the account that the call concerns, and Role is the user's role in it. Both are empty for a
	// method that any user may call.
	AccountID string
	Role      Role
}

type contextKey struct{}

// NewContext returns a copy of ctx that carries the caller.
func NewContext(ctx context.Context, c Caller) context.Context {
	return context.WithValue(ctx, contextKey{}, c)
}

// FromContext returns the caller stored in ctx. It returns false if an operator makes the call.
func FromContext(ctx context.Context) (Caller, bool) {
	c, is := ctx.Value(contextKey{}).(Caller)
	return c, is
}
