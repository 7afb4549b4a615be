package console

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/contract"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

// anyToken asks for the requests of tokens and links, in place of the id of a key.
const anyToken = "token"

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

// requestChoices offers the apps and keys that are there, and those of the filter whatever
// has become of them.
func (c *Console) requestChoices(ctx context.Context, listed []*authv1.ListedApp, filter requestFilter) (requestChoices, error) {
	apps := appsOf(listed)
	keys, err := c.keysOf(ctx, false, apps)
	if err != nil {
		return requestChoices{}, err
	}
	choices := requestChoices{
		Apps:     []option{{Text: "All"}},
		Keys:     []optionGroup{{Options: []option{{Text: "All"}, {Value: anyToken, Text: tokensText}}}},
		Methods:  []option{{Text: "All"}, {Value: http.MethodGet}, {Value: http.MethodHead}, {Value: http.MethodPost}, {Value: http.MethodPatch}},
		Statuses: []string{"2xx", "3xx", "4xx", "5xx", "401", "403", "404", "429"}, ErrorCodes: answer.Codes(), Routes: c.loggedRoutes,
	}
	for i, app := range apps {
		choices.Apps = append(choices.Apps, option{Value: app.GetId(), Text: app.GetName()})
		if len(keys[i]) == 0 {
			continue
		}
		group := optionGroup{Label: app.GetName()}
		for _, k := range keys[i] {
			group.Options = append(group.Options, option{Value: k.GetId(), Text: k.GetName() + " (…" + k.GetHint() + ")"})
		}
		choices.Keys = append(choices.Keys, group)
	}
	choices.Apps = choose(choices.Apps, filter.App)
	choices.Methods = choose(choices.Methods, strings.ToUpper(filter.Method))
	choices.Keys = chooseAmong(choices.Keys, filter.Key)
	return choices, nil
}

// choose marks the entry with a value, which is added if there is none.
func choose(options []option, value string) []option {
	i := slices.IndexFunc(options, func(o option) bool { return o.Value == value })
	if i < 0 {
		return append(options, option{Value: value, Text: value, Chosen: true})
	}
	options[i].Chosen = true
	return options
}

func chooseAmong(groups []optionGroup, value string) []optionGroup {
	for _, g := range groups {
		if slices.ContainsFunc(g.Options, func(o option) bool { return o.Value == value }) {
			choose(g.Options, value)
			return groups
		}
	}
	groups[0].Options = choose(groups[0].Options, value)
	return groups
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
