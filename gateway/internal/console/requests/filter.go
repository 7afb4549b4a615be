package requests

import (
	"net/http"
	"regexp"
	"slices"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/console/shell"
	"vitae.internal/gateway/internal/contract"
	"vitae.internal/gateway/internal/web"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

// Filter holds the values of the form above the log.
type Filter struct {
	App, Key, Status, ErrorCode, Method, Route, Resource, From, To, RequestID string
}

var fields = shell.Filter[Filter]{
	{"app", func(f *Filter) *string { return &f.App }},
	{"key", func(f *Filter) *string { return &f.Key }},
	{"status", func(f *Filter) *string { return &f.Status }},
	{"error-code", func(f *Filter) *string { return &f.ErrorCode }},
	{"method", func(f *Filter) *string { return &f.Method }},
	{"route", func(f *Filter) *string { return &f.Route }},
	{"resource-id", func(f *Filter) *string { return &f.Resource }},
	{"from", func(f *Filter) *string { return &f.From }},
	{"to", func(f *Filter) *string { return &f.To }},
	{"request-id", func(f *Filter) *string { return &f.RequestID }},
}

// controls maps fields of ListRequestsRequest to form controls.
var controls = shell.Controls{
	"app_id": "app", "api_key_id": "key", "status": "status", "error_code": "error-code", "method": "method", "route": "route",
	"resource_id": "resource-id", "from": "from", "to": "to",
}

// Address returns the URL of the log with this filter.
func (f Filter) Address() string { return fields.Address(f, shell.RequestsPath) }

// page returns the URL of the page with the given token, or "" if token is "".
func (f Filter) page(token string) string {
	if token == "" {
		return ""
	}
	return fields.Address(f, shell.RequestsPath, shell.PageField, token)
}

func (f Filter) span() shell.Timespan { return shell.Timespan{From: f.From, To: f.To} }

// statusForm matches the status values that the auth service accepts.
var statusForm = regexp.MustCompile(`^[1-5]([0-9]{2}|xx)$`)

// search converts the filter to a request to the auth service, and returns any validation errors.
func (f Filter) search(accountID string) (*authv1.ListRequestsRequest, []web.Fault) {
	req := &authv1.ListRequestsRequest{
		AccountId: accountID, AppId: f.App, ApiKeyId: f.Key, Status: strings.ToLower(f.Status), ErrorCode: strings.ToUpper(f.ErrorCode),
		Method: strings.ToUpper(f.Method), Route: f.Route, ResourceId: f.Resource,
	}
	var faults, wrong []web.Fault
	if req.GetStatus() != "" && !statusForm.MatchString(req.GetStatus()) {
		faults = shell.FaultAt("status", "Enter a status such as 404, or a class such as 4xx.")
	}
	req.From, req.To, wrong = f.span().Read()
	return req, append(faults, wrong...)
}

// choices holds the values that the form offers.
type choices struct {
	Apps                         []shell.Option
	Keys                         []shell.OptionGroup
	Methods                      []shell.Option
	Statuses, ErrorCodes, Routes []string
}

// choicesFor returns the values that the form offers. They include the current values of the
// filter.
func (h handlers) choicesFor(k *shell.Catalog, filter Filter) choices {
	methods := []shell.Option{{Text: "All"}, {Value: http.MethodGet}, {Value: http.MethodHead}, {Value: http.MethodPost}, {Value: http.MethodPatch}}
	method := strings.ToUpper(filter.Method)
	return choices{
		Apps: k.AppOptions(filter.App), Keys: k.KeyOptions("", filter.Key), Methods: shell.Choose(methods, method, method),
		Statuses: []string{"2xx", "3xx", "4xx", "5xx", "401", "403", "404", "429"}, ErrorCodes: answer.Codes(), Routes: h.routes,
	}
}

// cvFileRoute is not in the .proto files, because it is not a gRPC method.
const cvFileRoute = "/v1/me/cv.pdf"

// readRoutes returns the route templates that appear in the log, and the scope that each
// combination of method and template requires.
func readRoutes() (routes []string, scopes map[string]string, err error) {
	routes = []string{
		"/oauth/token", "/oauth/introspect", "/oauth/revoke", cvFileRoute, "/v1/cv-links/{token}", "/v1/photos/{token}",
		"/api/oauth/token", "/api/oauth/profile", "/api/oauth/revoke",
	}
	scopes = map[string]string{}
	for _, service := range []protoreflect.ServiceDescriptor{
		candidatev1.File_vitae_candidate_v1_me_proto.Services().ByName("MeService"),
		partnercatalogv1.File_vitae_partnercatalog_v1_companies_proto.Services().ByName("CompanyService"),
		partnercatalogv1.File_vitae_partnercatalog_v1_jobs_proto.Services().ByName("JobService"),
		candidatev1.File_vitae_candidate_v1_applications_proto.Services().ByName("ApplicationService"),
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
	scopes[http.MethodGet+" "+cvFileRoute] = scopes[http.MethodGet+" /v1/me/cv"]
	slices.Sort(routes)
	return slices.Compact(routes), scopes, nil
}
