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

// Register adds the service's methods to a gRPC server.
func Register(r grpc.ServiceRegistrar, c Config) error {
	if c.Renderer == nil {
		return errors.New("grpcapi: Renderer is required")
	}
	cvrenderv1.RegisterCvRenderServiceServer(r, &cvRenderServer{renderer: c.Renderer})
	return nil
}
