package api

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"

	"github.com/grpc-ecosystem/grpc-gateway/v2/runtime"
	"google.golang.org/protobuf/reflect/protoreflect"

	gwcandidatev1 "vitae.internal/proto/gen/gateway/vitae/candidate/v1"
	gwpartnercatalogv1 "vitae.internal/proto/gen/gateway/vitae/partnercatalog/v1"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	cvrenderv1 "vitae.internal/proto/gen/vitae/cvrender/v1"
	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"

	"vitae.internal/gateway/internal/admission"
	"vitae.internal/gateway/internal/admission/cvlink"
	"vitae.internal/gateway/internal/admission/limits"
	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/api/contract"
	"vitae.internal/gateway/internal/api/rest"
	"vitae.internal/gateway/internal/chain"
)

// Config is what the edge stands on; all of it is required.
type Config struct {
	// BaseURL and AppURL are where the edge and the pages are reached from outside,
	// without a trailing slash.
	BaseURL, AppURL string
	// PlatformOn says whether the developer platform is switched on.
	PlatformOn bool
	// Proxies may say for whom they ask.
	Proxies chain.Proxies
	// The parts behind the edge.
	OAuth        authv1.OAuthServiceClient
	Me           candidatev1.MeServiceClient
	Applications candidatev1.ApplicationServiceClient
	Resumes      candidatev1.ResumeServiceClient
	Companies    partnercatalogv1.CompanyServiceClient
	Jobs         partnercatalogv1.JobServiceClient
	Renderer     cvrenderv1.CvRenderServiceClient
	// Verifier knows which credentials live, and what their accounts may spend.
	Verifier admission.Verifier
	// Limiter holds the tiers of the surfaces that need no credential.
	Limiter admission.Limiter
	Tiers   limits.Tiers
	// Links signs durable links.
	Links *cvlink.Signer
	// Usage takes the requests of known accounts.
	Usage chain.Usage
	// Log takes one line per request.
	Log *slog.Logger
	// MaxInFlight is how many requests may be under way at a time.
	MaxInFlight int
}

// New makes the edge's handler.
func New(c Config) (http.Handler, error) {
	errors := answer.Errors{Log: c.Log}
	routes, err := c.table(errors)
	if err != nil {
		return nil, err
	}
	// Behind the routing: who is turned away is told in the shape of the route.
	inFlight := chain.NewInFlight("edge", c.MaxInFlight)
	for i := range routes {
		routes[i].Handler = inFlight.Bound(routes[i].Handler)
	}
	routing, err := chain.NewRouter(routes, errors.Write)
	if err != nil {
		return nil, err
	}
	outer := chain.Outer{
		Listener: "edge", Log: c.Log, Proxies: c.Proxies, Headers: chain.EdgeHeaders(), Fail: errors.Write,
		Usage: c.Usage,
	}
	return outer.Wrap(routing), nil
}

// service is a gRPC service of which REST serves methods.
type service struct {
	contract protoreflect.ServiceDescriptor
	register func(context.Context, *runtime.ServeMux) error
}

// services are all that REST serves methods of.
func (c Config) services() []service {
	me := candidatev1.File_vitae_candidate_v1_me_proto.Services()
	applications := candidatev1.File_vitae_candidate_v1_applications_proto.Services()
	companies := partnercatalogv1.File_vitae_partnercatalog_v1_companies_proto.Services()
	jobs := partnercatalogv1.File_vitae_partnercatalog_v1_jobs_proto.Services()
	return []service{
		{me.ByName("MeService"), func(ctx context.Context, mux *runtime.ServeMux) error {
			return gwcandidatev1.RegisterMeServiceHandlerClient(ctx, mux, c.Me)
		}},
		{companies.ByName("CompanyService"), func(ctx context.Context, mux *runtime.ServeMux) error {
			return gwpartnercatalogv1.RegisterCompanyServiceHandlerClient(ctx, mux, c.Companies)
		}},
		{jobs.ByName("JobService"), func(ctx context.Context, mux *runtime.ServeMux) error {
			return gwpartnercatalogv1.RegisterJobServiceHandlerClient(ctx, mux, c.Jobs)
		}},
		{applications.ByName("ApplicationService"), func(ctx context.Context, mux *runtime.ServeMux) error {
			return gwcandidatev1.RegisterApplicationServiceHandlerClient(ctx, mux, c.Applications)
		}},
	}
}

// resources gives the routes that gRPC methods stand behind, from their contract.
func (c Config) resources(errors answer.Errors) ([]chain.Route, error) {
	var routes []chain.Route
	for _, s := range c.services() {
		methods, err := contract.MethodsOf(s.contract)
		if err != nil {
			return nil, err
		}
		mux := rest.NewMux(errors)
		if err := s.register(context.Background(), mux); err != nil {
			return nil, fmt.Errorf("edge: %w", err)
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
	if m.Conditional {
		handler = answer.Conditional(handler)
	}
	switch m.Credential {
	case optionsv1.Credential_CREDENTIAL_USER_TOKEN:
		return c.user(m.HTTPMethod, m.Template, errors.Write, quick, m.Scope, handler), nil
	case optionsv1.Credential_CREDENTIAL_API_KEY:
		return c.partner(m.HTTPMethod, m.Template, errors.Write, quick, m.Scope, handler), nil
	default:
		return chain.Route{}, fmt.Errorf("edge: %s takes a credential that the edge does not know", m.Template)
	}
}

// sharedCV gives the method whose access rule the PDFs share: they show what it shows.
func sharedCV() (contract.Method, error) {
	return contract.MethodOf(candidatev1.File_vitae_candidate_v1_me_proto.Services().ByName("MeService"), "GetSharedCv")
}
