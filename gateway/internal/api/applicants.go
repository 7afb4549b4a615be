package api

import (
	"context"

	"github.com/grpc-ecosystem/grpc-gateway/v2/runtime"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"vitae.internal/gateway/internal/admission/signedurl"
	"vitae.internal/pkg/clock"
	gwcandidatev1 "vitae.internal/proto/gen/gateway/vitae/candidate/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// signingApplications adds the addresses of photos to responses about applicants. candidate
// only reports that there is a photo, because only the gateway has the keys
// (behaviour: photos#photos-of-applicants).
type signingApplications struct {
	candidatev1.ApplicationServiceClient
	photos *signedurl.Signer
	clock  clock.Clock
}

// registerApplications registers the service with signed photos.
func (c Config) registerApplications(ctx context.Context, mux *runtime.ServeMux, part grpc.ClientConnInterface) error {
	return gwcandidatev1.RegisterApplicationServiceHandlerClient(ctx, mux, signingApplications{
		ApplicationServiceClient: candidatev1.NewApplicationServiceClient(part), photos: c.Admission.Addresses, clock: clock.System{},
	})
}

func (s signingApplications) ListJobApplications(ctx context.Context, in *candidatev1.ListJobApplicationsRequest, opts ...grpc.CallOption) (*candidatev1.ListJobApplicationsResponse, error) {
	list, err := s.ApplicationServiceClient.ListJobApplications(ctx, in, opts...)
	for _, one := range list.GetApplications() {
		s.sign(one.GetCandidate())
	}
	return list, err
}

func (s signingApplications) GetApplication(ctx context.Context, in *candidatev1.GetApplicationRequest, opts ...grpc.CallOption) (*candidatev1.GetApplicationResponse, error) {
	one, err := s.ApplicationServiceClient.GetApplication(ctx, in, opts...)
	s.sign(one.GetApplication().GetCandidate())
	return one, err
}

func (s signingApplications) sign(c *candidatev1.Candidate) {
	if c.GetImage() != nil {
		c.Image = wrapperspb.String(s.photos.ApplicantPhoto(c.GetUserId(), s.clock.Now()))
	}
}
