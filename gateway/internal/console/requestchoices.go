package console

import (
	"net/http"
	"slices"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/contract"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

// cvFileRoute serves no gRPC method of its own, so the contract does not have it.
const cvFileRoute = "/v1/me/cv.pdf"

// requestChoices are the values that the form above the request log offers.
type requestChoices struct {
	Apps []option
	// Keys are those of each app.
	Keys                         []optionGroup
	Methods                      []option
	Statuses, ErrorCodes, Routes []string
}

// requestChoices offers the apps and keys of the account, and whatever the filter has.
func (c *Console) requestChoices(k *catalog, filter requestFilter) requestChoices {
	methods := []option{{Text: "All"}, {Value: http.MethodGet}, {Value: http.MethodHead}, {Value: http.MethodPost}, {Value: http.MethodPatch}}
	method := strings.ToUpper(filter.Method)
	return requestChoices{
		Apps: k.appOptions(filter.App), Keys: k.keyOptions("", filter.Key), Methods: choose(methods, method, method),
		Statuses: []string{"2xx", "3xx", "4xx", "5xx", "401", "403", "404", "429"}, ErrorCodes: answer.Codes(), Routes: c.loggedRoutes,
	}
}

// readRoutes gives the templates of the routes that the log names, and the scope of each that
// needs one, by method and template.
func readRoutes() (routes []string, scopes map[string]string, err error) {
	routes = []string{
		"/oauth/token", "/oauth/introspect", "/oauth/revoke", cvFileRoute, "/v1/cv-links/{token}", "/v1/photos/{token}",
		"/api/oauth/token", "/api/oauth/profile", "/api/oauth/revoke",
	}
	scopes = map[string]string{}
	me := candidatev1.File_vitae_candidate_v1_me_proto.Services()
	applications := candidatev1.File_vitae_candidate_v1_applications_proto.Services()
	companies := partnercatalogv1.File_vitae_partnercatalog_v1_companies_proto.Services()
	jobs := partnercatalogv1.File_vitae_partnercatalog_v1_jobs_proto.Services()
	for _, service := range []protoreflect.ServiceDescriptor{
		me.ByName("MeService"), companies.ByName("CompanyService"), jobs.ByName("JobService"), applications.ByName("ApplicationService"),
	} {
		methods, err := contract.MethodsOf(service)
		if err != nil {
			return nil, nil, err
		}
		for _, m := range methods {
			routes = append(routes, m.Template)
			scopes[m.HTTPMethod+" "+m.Template] = m.Scope
		}
	}
	scopes[http.MethodGet+" "+cvFileRoute] = scopes[http.MethodGet+" /v1/me/cv"] // the same CV, as a file
	slices.Sort(routes)
	return slices.Compact(routes), scopes, nil
}
