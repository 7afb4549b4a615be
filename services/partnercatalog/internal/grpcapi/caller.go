package grpcapi

import (
	"context"

	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/principal"
)

const apiKey = identityv1.CredentialKind_CREDENTIAL_KIND_API_KEY

// callingApp gives the app of the call's principal when that is an API key with
// the scope. Scopes of an API key and of a person never mix (spec: Two
// credential kinds). Errors: as principal.Require.
func callingApp(ctx context.Context, scope string) (string, error) {
	p, err := principal.Require(ctx, scope)
	if err != nil {
		return "", err
	}
	if p.GetKind() != apiKey {
		return "", principal.InsufficientScope(p.GetKind(), scope)
	}
	if p.GetAppId() == "" {
		return "", errs.New(errs.Unauthenticated, "PRINCIPAL_MISSING", "The call's principal names no app.")
	}
	return p.GetAppId(), nil
}
