package partnerapi_test

import (
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"google.golang.org/genproto/googleapis/api/annotations"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/world"
	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
)

// outcome is the status of a response and, if it is an error, its code.
type outcome struct {
	status int
	code   string
}

func (o outcome) assert(t testing.TB, a partner.Response) {
	t.Helper()
	if o.code != "" {
		expect.Refused(t, a, o.status, o.code)
		if o == notOurs {
			expect.Message(t, a, "The company is not managed by this app.")
		}
	} else if a.Status != o.status {
		t.Errorf("%s, want status %d", a, o.status)
	}
}

var (
	keyDead   = outcome{http.StatusUnauthorized, "API_KEY_INVALID"}
	keyNarrow = outcome{http.StatusForbidden, "API_KEY_INSUFFICIENT_SCOPE"}
	notOurs   = outcome{http.StatusForbidden, "COMPANY_NOT_MANAGED_BY_APP"}
	suspended = outcome{http.StatusForbidden, "DEVELOPER_ACCOUNT_SUSPENDED"}
	noJob     = outcome{http.StatusNotFound, "JOB_NOT_FOUND"}
	noApplied = outcome{http.StatusNotFound, "APPLICATION_NOT_FOUND"}
	okay      = outcome{status: http.StatusOK}
	made      = outcome{status: http.StatusCreated}
)

// route is a route of the partner API with its expected responses to an API key. Responses to other
// credentials are the same for every route: see TestRoutesAcceptOnlyTheirCredentials.
type route struct {
	// scope is the scope that the key must have.
	scope string
	// job is the status of the job in the path.
	job  string
	body world.Fields
	// own is the response to a key of the app that manages the company, and foreign the response to a
	// key of a different app. unknown is the response for an unknown id.
	own, foreign, unknown outcome
}

// partnerRoutes lists all routes of the partner API
// (behaviour: companies#company-endpoints, jobs#job-endpoints, applications#application-endpoints).
var partnerRoutes = map[string]route{
	"GET /v1/companies":                    {scope: "companies:read", own: okay, foreign: okay},
	"POST /v1/companies":                   {scope: "companies:write", body: world.Company(), own: made, foreign: made},
	"GET /v1/companies/{company_id}":       {scope: "companies:read", own: okay, foreign: notOurs, unknown: notOurs},
	"PATCH /v1/companies/{company_id}":     {scope: "companies:write", body: world.Fields{"tagline": "New"}, own: okay, foreign: notOurs, unknown: notOurs},
	"GET /v1/companies/{company_id}/jobs":  {scope: "jobs:read", own: okay, foreign: notOurs, unknown: notOurs},
	"POST /v1/companies/{company_id}/jobs": {scope: "jobs:write", body: world.Live(), own: made, foreign: notOurs, unknown: notOurs},
	"GET /v1/jobs/{job_id}":                {scope: "jobs:read", job: "draft", own: okay, foreign: notOurs, unknown: noJob},
	"PATCH /v1/jobs/{job_id}":              {scope: "jobs:write", job: "draft", body: world.Fields{"distribution": "hidden"}, own: okay, foreign: notOurs, unknown: noJob},
	"POST /v1/jobs/{job_id}/publish":       {scope: "jobs:write", job: "draft", own: okay, foreign: notOurs, unknown: noJob},
	"POST /v1/jobs/{job_id}/close":         {scope: "jobs:write", job: "active", own: okay, foreign: notOurs, unknown: noJob},
	"POST /v1/jobs/{job_id}/archive":       {scope: "jobs:write", job: "draft", own: okay, foreign: notOurs, unknown: noJob},
	"GET /v1/jobs/{job_id}/candidates":     {scope: "candidates:read", job: "active", own: okay, foreign: notOurs, unknown: noJob},
	"GET /v1/candidates/{application_id}":  {scope: "candidates:read", own: okay, foreign: notOurs, unknown: noApplied},
}

// contractRoutes returns the routes of the contracts that need an API key, with the scope that each
// requires.
func contractRoutes(t testing.TB) map[string]string {
	t.Helper()
	routes := map[string]string{}
	protoregistry.GlobalFiles.RangeFiles(func(f protoreflect.FileDescriptor) bool {
		for i := range f.Services().Len() {
			methods := f.Services().Get(i).Methods()
			for j := range methods.Len() {
				options := methods.Get(j).Options()
				access, _ := proto.GetExtension(options, optionsv1.E_Access).(*optionsv1.Access)
				if access.GetCredential() != optionsv1.Credential_CREDENTIAL_API_KEY {
					continue
				}
				rule, _ := proto.GetExtension(options, annotations.E_Http).(*annotations.HttpRule)
				for _, r := range append([]*annotations.HttpRule{rule}, rule.GetAdditionalBindings()...) {
					routes[pattern(t, r)] = access.GetScope()
				}
			}
		}
		return true
	})
	return routes
}

func pattern(t testing.TB, r *annotations.HttpRule) string {
	t.Helper()
	switch p := r.GetPattern().(type) {
	case *annotations.HttpRule_Get:
		return "GET " + p.Get
	case *annotations.HttpRule_Post:
		return "POST " + p.Post
	case *annotations.HttpRule_Patch:
		return "PATCH " + p.Patch
	case *annotations.HttpRule_Put:
		return "PUT " + p.Put
	case *annotations.HttpRule_Delete:
		return "DELETE " + p.Delete
	default:
		t.Fatalf("a route with the method %v", p)
		return ""
	}
}

func TestMatrixCoversEveryKeyRoute(t *testing.T) {
	t.Parallel()
	inContracts := contractRoutes(t)
	if got, want := slices.Sorted(maps.Keys(inContracts)), slices.Sorted(maps.Keys(partnerRoutes)); !slices.Equal(got, want) {
		t.Errorf("the contracts have the routes\n%s\nand the matrix\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for name, scope := range inContracts {
		if want := partnerRoutes[name].scope; scope != want {
			t.Errorf("%s requires the scope %q, want %q", name, scope, want)
		}
	}
}

// things holds the ids in paths.
type things struct{ company, job, application string }

var placeholder = regexp.MustCompile(`\{(\w+)\}`)

// call sends the request of a route, with the ids in its path.
func call(t testing.TB, c partner.Employer, name string, body world.Fields, on things) partner.Response {
	t.Helper()
	method, path, _ := strings.Cut(name, " ")
	path = placeholder.ReplaceAllStringFunc(path, func(p string) string {
		return map[string]string{"{company_id}": on.company, "{job_id}": on.job, "{application_id}": on.application}[p]
	})
	var content any
	if body != nil {
		content = body
	}
	return expect.Must(c.Call(t.Context(), method, path, content))(t)
}
