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

// Photos gives the photo at an address as a small JPEG. The work counts against the
// share. photo.Source implements it.
type Photos interface {
	Get(ctx context.Context, share, address string) ([]byte, error)
}

// Pictures keeps pictures below the size that other parts take. picture.Encoder
// implements it.
type Pictures interface {
	// Small gives a JPEG of ours below picture.MaxBytes.
	Small(ctx context.Context, jpeg []byte) ([]byte, error)
}

// Config is the use cases behind the contract. All fields are required.
type Config struct {
	Renderer Renderer
	Photos   Photos
	Pictures Pictures
}

// API is the gRPC services of this part.
type API struct{ useCases Config }

// New makes the services.
func New(c Config) (*API, error) {
	if c.Renderer == nil || c.Photos == nil || c.Pictures == nil {
		return nil, errors.New("grpcapi: Renderer, Photos and Pictures are required")
	}
	return &API{useCases: c}, nil
}

// Register adds the services to a gRPC server.
func (a *API) Register(r grpc.ServiceRegistrar) {
	cvrenderv1.RegisterCvRenderServiceServer(r, &cvRenderServer{
		renderer: a.useCases.Renderer, photos: a.useCases.Photos, pictures: a.useCases.Pictures,
	})
}
