package grpcapi

import (
	"context"

	"vitae.internal/pkg/principal"
)

// callingApp gives the app whose API key the call is made with. grpcx has checked
// the principal against the access option of the method, so there is one.
func callingApp(ctx context.Context) string { return principal.FromContext(ctx).GetAppId() }
