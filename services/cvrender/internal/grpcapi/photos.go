package grpcapi

import (
	"context"
	"fmt"

	"vitae.internal/pkg/errs"
	cvrenderv1 "vitae.internal/proto/gen/vitae/cvrender/v1"
)

// errNoPhoto does not tell why a photo is not available, because the caller must not learn which hosts this
// service can reach.
var errNoPhoto = errs.New(errs.NotFound, "PHOTO_NOT_FOUND", "The photo cannot be had.")

func (a *API) FetchPhoto(ctx context.Context, req *cvrenderv1.FetchPhotoRequest) (*cvrenderv1.FetchPhotoResponse, error) {
	jpeg, err := a.Photos.Get(ctx, req.GetShare(), req.GetAddress())
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("fetch photo: %w", ctx.Err())
	case err != nil:
		return nil, errNoPhoto.WithCause(err)
	}
	if jpeg, err = a.Pictures.Small(ctx, jpeg); err != nil {
		return nil, err
	}
	return &cvrenderv1.FetchPhotoResponse{Jpeg: jpeg}, nil
}
