// Package principal passes the authenticated principal of a request from the gateway to the
// services.
//
// The package does not authenticate; the gateway does. Services trust the metadata entry because
// grpcserver has verified the caller's certificate.
package principal

import (
	"context"
	"fmt"
	"slices"

	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"

	"vitae.internal/pkg/errs"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

// metadataKey is the key of the binary metadata entry that contains the principal.
const metadataKey = "vitae-principal-bin"

type contextKey struct{}

// NewContext returns a copy of ctx that carries p.
func NewContext(ctx context.Context, p *identityv1.Principal) context.Context {
	return context.WithValue(ctx, contextKey{}, p)
}

// FromContext returns the principal in ctx, or nil if there is none.
func FromContext(ctx context.Context) *identityv1.Principal {
	p, _ := ctx.Value(contextKey{}).(*identityv1.Principal)
	return p
}

// Outgoing returns the metadata for calls on behalf of the principal in ctx, as a key and a value,
// in a slice with capacity for more. It returns nil if there is no principal.
func Outgoing(ctx context.Context) ([]string, error) {
	p := FromContext(ctx)
	if p == nil {
		return nil, nil
	}
	raw, err := proto.Marshal(p)
	if err != nil {
		return nil, fmt.Errorf("principal: encode: %w", err)
	}
	return append(make([]string, 0, 6), metadataKey, string(raw)), nil
}

// Incoming moves the principal from the metadata of a call to its context. It returns an error if
// there are two entries, because one of them must be forged.
func Incoming(ctx context.Context) (context.Context, error) {
	values := metadata.ValueFromIncomingContext(ctx, metadataKey)
	switch len(values) {
	case 0:
		return ctx, nil
	case 1:
		p := &identityv1.Principal{}
		if err := proto.Unmarshal([]byte(values[0]), p); err != nil {
			return nil, errs.New(errs.Unauthenticated, "PRINCIPAL_MALFORMED", "The principal could not be read.").WithCause(err)
		}
		return NewContext(ctx, p), nil
	default:
		return nil, errs.New(errs.Unauthenticated, "PRINCIPAL_MALFORMED", "The call names more than one principal.")
	}
}

// HasScope reports whether p has the scope.
func HasScope(p *identityv1.Principal, scope string) bool {
	return slices.Contains(p.GetScopes(), scope)
}

// InsufficientScope returns the error for a credential that lacks the scope
// (behaviour: errors#sign-in-codes, errors#partner-codes).
func InsufficientScope(kind identityv1.CredentialKind, scope string) error {
	if kind == identityv1.CredentialKind_CREDENTIAL_KIND_API_KEY {
		return errs.New(errs.Denied, "API_KEY_INSUFFICIENT_SCOPE", "The API key lacks the scope %s.", scope)
	}
	return errs.New(errs.Denied, "OAUTH_INSUFFICIENT_SCOPE", "The access token lacks the scope %s.", scope)
}
