package api

import (
	"context"
	"fmt"
	"net/http"

	"github.com/grpc-ecosystem/grpc-gateway/v2/runtime"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"vitae.internal/gateway/internal/admission/signedurl"
	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/api/rest"
	"vitae.internal/gateway/internal/chain"
	"vitae.internal/gateway/internal/contract"
	"vitae.internal/pkg/clock"
	gwcandidatev1 "vitae.internal/proto/gen/gateway/vitae/candidate/v1"
	gwpartnercatalogv1 "vitae.internal/proto/gen/gateway/vitae/partnercatalog/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

// service is a gRPC service that has REST methods, with its contract, its connection and its generated
// registration.
type service struct {
	contract protoreflect.ServiceDescriptor
	conn     grpc.ClientConnInterface
	register registration
}

type registration func(context.Context, *runtime.ServeMux, grpc.ClientConnInterface) error

// services lists the gRPC services that have REST methods. To add a service, add a line here.
func (c Config) services() []service {
	me := candidatev1.File_vitae_candidate_v1_me_proto.Services()
	applications := candidatev1.File_vitae_candidate_v1_applications_proto.Services()
	companies := partnercatalogv1.File_vitae_partnercatalog_v1_companies_proto.Services()
	jobs := partnercatalogv1.File_vitae_partnercatalog_v1_jobs_proto.Services()
	return []service{
		{me.ByName("MeService"), c.Candidate, registerMe},
		{companies.ByName("CompanyService"), c.Partnercatalog, serves(partnercatalogv1.NewCompanyServiceClient, gwpartnercatalogv1.RegisterCompanyServiceHandlerClient)},
		{jobs.ByName("JobService"), c.Partnercatalog, serves(partnercatalogv1.NewJobServiceClient, gwpartnercatalogv1.RegisterJobServiceHandlerClient)},
		{applications.ByName("ApplicationService"), c.Candidate, c.registerApplications},
	}
}

// serves returns a registration that works with any connection to the service.
func serves[C any](client func(grpc.ClientConnInterface) C, register func(context.Context, *runtime.ServeMux, C) error) registration {
	return func(ctx context.Context, mux *runtime.ServeMux, conn grpc.ClientConnInterface) error {
		return register(ctx, mux, client(conn))
	}
}

var registerMe = serves(candidatev1.NewMeServiceClient, gwcandidatev1.RegisterMeServiceHandlerClient)

// resources returns the routes of all gRPC methods, built from their contracts.
func (c Config) resources(errors answer.Errors) ([]chain.Route, error) {
	var routes []chain.Route
	for _, s := range c.services() {
		methods, err := contract.MethodsOf(s.contract)
		if err != nil {
			return nil, err
		}
		mux := rest.NewMux(errors)
		if err := s.register(context.Background(), mux, s.conn); err != nil {
			return nil, fmt.Errorf("api: %w", err)
		}
		for _, m := range methods {
			one, err := c.resource(m, mux, errors)
			if err != nil {
				return nil, err
			}
			routes = append(routes, one)
		}
	}
	return routes, nil
}

func (c Config) resource(m contract.Method, mux http.Handler, errors answer.Errors) (chain.Route, error) {
	served, err := rest.NewRoute(m, mux, errors)
	if err != nil {
		return chain.Route{}, err
	}
	var handler http.Handler = served
	if m.Template == "/v1/me/cv" {
		handler = answer.Conditional(handler)
	}
	switch m.Credential {
	case optionsv1.Credential_CREDENTIAL_USER_TOKEN:
		return withReads(m.Reads, c.user(m.HTTPMethod, m.Template, errors.Write, quick, m.Scope, handler)), nil
	case optionsv1.Credential_CREDENTIAL_API_KEY:
		return withReads(m.Reads, c.partner(m.HTTPMethod, m.Template, errors.Write, quick, m.Scope, handler)), nil
	default:
		return chain.Route{}, fmt.Errorf("api: %s requires a credential that no REST route accepts", m.Template)
	}
}

// sharedCV returns the method that returns a shared CV. PDFs require the same scope, because they
// contain the same data.
func sharedCV() (contract.Method, error) {
	return contract.MethodOf(candidatev1.File_vitae_candidate_v1_me_proto.Services().ByName("MeService"), "GetSharedCv")
}

// signingApplications adds the URLs of photos to responses about applicants. The candidate service only
// reports whether there is a photo, because only the gateway has the signing keys
// (behaviour: photos#photos-of-applicants).
type signingApplications struct {
	candidatev1.ApplicationServiceClient
	photos *signedurl.Signer
	clock  clock.Clock
}

// registerApplications registers the service so that its responses contain signed photo URLs.
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
