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
	// Render returns the PDF of a CV.
	Render(ctx context.Context, r render.Request) (render.Result, error)
}

// Photos returns the photo at an address as a small JPEG. The work counts against the share.
// photo.Source implements it.
type Photos interface {
	Get(ctx context.Context, share, address string) ([]byte, error)
}

// Pictures reencodes pictures. picture.Encoder implements it.
type Pictures interface {
	// Small returns a JPEG of this service below picture.MaxBytes.
	Small(ctx context.Context, jpeg []byte) ([]byte, error)
}

// Config holds the use cases. All are required.
type Config struct {
	Renderer Renderer
	Photos   Photos
	Pictures Pictures
}

// API has the gRPC services of cvrender.
type API struct{ useCases Config }

// New returns an API.
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
