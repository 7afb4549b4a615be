package edge

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"

	"google.golang.org/protobuf/reflect/protoreflect"

	gwcandidatev1 "vitae.internal/proto/gen/gateway/vitae/candidate/v1"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	cvrenderv1 "vitae.internal/proto/gen/vitae/cvrender/v1"
	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"

	"vitae.internal/gateway/internal/cvlink"
	"vitae.internal/gateway/internal/middleware"
	"vitae.internal/gateway/internal/rest"
)

// Config is what the edge stands on; all of it is required.
type Config struct {
	// BaseURL and AppURL are where the edge and the pages are reached from outside,
	// without a trailing slash.
	BaseURL, AppURL string
	// PlatformOn says whether the developer platform is switched on.
	PlatformOn bool
	// Proxies may say for whom they ask.
	Proxies middleware.Proxies
	// OAuth, Me and Renderer are the parts behind the edge.
	OAuth    authv1.OAuthServiceClient
	Me       candidatev1.MeServiceClient
	Renderer cvrenderv1.CvRenderServiceClient
	// Verifier knows which credentials live.
	Verifier middleware.Verifier
	// Links signs durable links.
	Links *cvlink.Signer
	// Log takes one line per request.
	Log *slog.Logger
}

// New makes the edge's handler.
func New(c Config) (http.Handler, error) {
	errors := rest.Errors{Log: c.Log}
	routes, err := c.table(errors)
	if err != nil {
		return nil, err
	}
	router, err := newRouter(routes, errors.Write)
	if err != nil {
		return nil, err
	}
	outer := middleware.Outer{
		Listener: "edge", Log: c.Log, Proxies: c.Proxies, Headers: middleware.EdgeHeaders(), Fail: errors.Write,
	}
	return outer.Wrap(router), nil
}

// meService is the contract behind /v1/me*.
var meService = candidatev1.File_vitae_candidate_v1_me_proto.Services().ByName("MeService")

// sharedCV names the method whose access rule the PDFs share: they show what it shows.
const sharedCV protoreflect.Name = "GetSharedCv"

// resources gives the routes that gRPC methods stand behind, from their contract.
func (c Config) resources(errors rest.Errors) ([]route, error) {
	mux := rest.NewMux(errors)
	if err := gwcandidatev1.RegisterMeServiceHandlerClient(context.Background(), mux, c.Me); err != nil {
		return nil, fmt.Errorf("edge: %w", err)
	}
	methods, err := rest.MethodsOf(meService)
	if err != nil {
		return nil, err
	}
	var routes []route
	for _, m := range methods {
		if m.Credential != optionsv1.Credential_CREDENTIAL_USER_TOKEN {
			return nil, fmt.Errorf("edge: %s takes a credential that the edge does not know", m.Template)
		}
		handler := rest.Bare(mux)
		if m.Template == conditionalTemplate {
			handler = rest.Conditional(handler)
		}
		routes = append(routes, c.user(m.HTTPMethod, m.Template, errors.Write, quick, m.Scope, handler))
	}
	return routes, nil
}

// conditionalTemplate is the resource with an entity tag (spec: User resources).
const conditionalTemplate = "/v1/me/cv"
