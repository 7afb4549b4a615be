package grpcapi

import (
	"google.golang.org/grpc"

	"vitae.internal/pkg/picture"
	cvrenderv1 "vitae.internal/proto/gen/vitae/cvrender/v1"
	"vitae.internal/services/cvrender/internal/photo"
	"vitae.internal/services/cvrender/internal/render"
)

// API implements the gRPC service on top of these use cases. All fields are required.
type API struct {
	cvrenderv1.UnimplementedCvRenderServiceServer
	Renderer *render.Service
	Photos   *photo.Source
	Pictures *picture.Encoder
}

// Register adds the service's methods to a gRPC server.
func (a *API) Register(r grpc.ServiceRegistrar) { cvrenderv1.RegisterCvRenderServiceServer(r, a) }
