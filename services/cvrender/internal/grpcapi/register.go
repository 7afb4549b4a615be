package grpcapi

import (
	"context"
	"errors"

	"google.golang.org/grpc"

	cvrenderv1 "vitae.internal/proto/gen/vitae/cvrender/v1"
	"vitae.internal/services/cvrender/internal/render"
)

// Renderer renders CVs. render.Service implements it.
type Renderer interface {
	// Render gives the PDF of a CV.
	Render(ctx context.Context, r render.Request) (render.Result, error)
}

// Config is the use cases behind the contract. All fields are required.
type Config struct {
	Renderer Renderer
}

// API is the gRPC services of this part.
type API struct{ useCases Config }

// New makes the services.
func New(c Config) (*API, error) {
	if c.Renderer == nil {
		return nil, errors.New("grpcapi: Renderer is required")
	}
	return &API{useCases: c}, nil
}

// Register adds the services to a gRPC server.
func (a *API) Register(r grpc.ServiceRegistrar) {
	cvrenderv1.RegisterCvRenderServiceServer(r, &cvRenderServer{renderer: a.useCases.Renderer})
}
