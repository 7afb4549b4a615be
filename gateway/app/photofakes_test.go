package app_test

import (
	"context"
	"sync"

	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	cvrenderv1 "vitae.internal/proto/gen/vitae/cvrender/v1"
)

// noPhoto is the error that services return for an unknown photo.
var noPhoto = errs.New(errs.NotFound, "PHOTO_NOT_FOUND", "There is no such photo.")

// fakePhotos is a fake of the services that serve photos.
type fakePhotos struct {
	candidatev1.UnimplementedPhotoServiceServer

	mu sync.Mutex
	// shown is the version of con_1's photo URL that is currently live.
	shown int32
	// jpeg is the photo of usr_1. If address is set, the photo is an external one.
	jpeg, address string
	fault         error
	// asked lists the people whose photos were read. fetched lists the fetched URLs.
	asked, fetched []string
}

func newFakePhotos() *fakePhotos { return &fakePhotos{shown: photoVersion, jpeg: "a JPEG"} }

func (f *fakePhotos) set(change func(*fakePhotos)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(f)
}

// resolve returns the auth service's response.
func (f *fakePhotos) resolve(req *authv1.ResolvePhotoAddressRequest) (*authv1.ResolvePhotoAddressResponse, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.fault != nil:
		return nil, f.fault
	case req.GetConnectionId() != "con_1" || req.GetVersion() != f.shown:
		return nil, noPhoto
	}
	return &authv1.ResolvePhotoAddressResponse{AccountId: "dev_1", AppId: "app_1", PersonId: "usr_1"}, nil
}

func (f *fakePhotos) GetPhoto(_ context.Context, req *candidatev1.GetPhotoRequest) (*candidatev1.GetPhotoResponse, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked = append(f.asked, req.GetPersonId())
	switch {
	case f.fault != nil:
		return nil, f.fault
	case req.GetPersonId() != "usr_1" || f.jpeg == "" && f.address == "":
		return nil, noPhoto
	case f.address != "":
		return &candidatev1.GetPhotoResponse{Photo: &candidatev1.GetPhotoResponse_Address{Address: f.address}}, nil
	}
	return &candidatev1.GetPhotoResponse{Photo: &candidatev1.GetPhotoResponse_Jpeg{Jpeg: []byte(f.jpeg)}}, nil
}

// fetch returns the cvrender service's response.
func (f *fakePhotos) fetch(req *cvrenderv1.FetchPhotoRequest) (*cvrenderv1.FetchPhotoResponse, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.fetched = append(f.fetched, req.GetShare()+" "+req.GetAddress())
	if f.jpeg == "" {
		return nil, noPhoto
	}
	return &cvrenderv1.FetchPhotoResponse{Jpeg: []byte(f.jpeg)}, nil
}

type photoAuth struct {
	*fakeAuth
	photos *fakePhotos
}

func (a photoAuth) ResolvePhotoAddress(_ context.Context, req *authv1.ResolvePhotoAddressRequest) (*authv1.ResolvePhotoAddressResponse, error) {
	return a.photos.resolve(req)
}

type photoRenderer struct {
	*fakeRenderer
	photos *fakePhotos
}

func (r photoRenderer) FetchPhoto(_ context.Context, req *cvrenderv1.FetchPhotoRequest) (*cvrenderv1.FetchPhotoResponse, error) {
	return r.photos.fetch(req)
}
