package grpcapi

import (
	"google.golang.org/grpc"

	"vitae.internal/services/auth/internal/grpcapi/activity"
	"vitae.internal/services/auth/internal/grpcapi/oauth"
	"vitae.internal/services/auth/internal/grpcapi/people"
	"vitae.internal/services/auth/internal/grpcapi/platform"
)

// API holds the auth service's use cases, grouped by topic.
type API struct {
	People   people.Config
	OAuth    oauth.Config
	Platform platform.Config
	Activity activity.Config
}

// Register adds the services to a gRPC server.
func (a *API) Register(r grpc.ServiceRegistrar) {
	people.Register(r, a.People)
	oauth.Register(r, a.OAuth)
	platform.Register(r, a.Platform)
	activity.Register(r, a.Activity)
}
