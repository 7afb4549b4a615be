package e2e_test

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"google.golang.org/genproto/googleapis/api/annotations"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/world"
	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
)

// outcome is what a cell of the matrix answers: a status and, of a refusal, a code.
type outcome struct {
	status int
	code   string
}

func (o outcome) assert(t testing.TB, a partner.Answer) {
	t.Helper()
	if o.code != "" {
		refused(t, a, o.status, o.code)
		if o == notOurs {
			told(t, a, "The company is not managed by this app.")
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

// route is a row of the matrix. The cells that no row names are the same
// everywhere: see TestEveryPartnerRouteAnswersEveryCredentialAsDocumented.
type route struct {
	// scope is the specification's.
	scope string
	// job is the status that the job in the path has.
	job  string
	body world.Fields
	// own is the answer to a key of the app that manages the thing, foreign that to
	// another app's key, and unknown that to an id that is nobody's.
	own, foreign, unknown outcome
}

// partnerRoutes are the tables Companies, Jobs and Candidates of the specification
// and decision 28.
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

// contractRoutes are the routes of the contracts that an API key opens, with the
// scope that they name.
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

func TestEveryRouteThatAKeyOpensIsInTheMatrix(t *testing.T) {
	t.Parallel()
	inContracts := contractRoutes(t)
	if got, want := slices.Sorted(maps.Keys(inContracts)), slices.Sorted(maps.Keys(partnerRoutes)); !slices.Equal(got, want) {
		t.Errorf("the contracts have the routes\n%s\nand the matrix\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	for name, scope := range inContracts {
		if want := partnerRoutes[name].scope; scope != want {
			t.Errorf("%s opens with %q, want %q", name, scope, want)
		}
	}
}

// things are what the paths of a route name.
type things struct{ company, job, application string }

var placeholder = regexp.MustCompile(`\{(\w+)\}`)

// call sends the request of a route about some things.
func call(t testing.TB, c partner.Employer, name string, body world.Fields, on things) partner.Answer {
	t.Helper()
	method, path, _ := strings.Cut(name, " ")
	path = placeholder.ReplaceAllStringFunc(path, func(p string) string {
		return map[string]string{"{company_id}": on.company, "{job_id}": on.job, "{application_id}": on.application}[p]
	})
	var content any
	if body != nil {
		content = body
	}
	return must(c.Call(t.Context(), method, path, content))(t)
}

// matrix is the world of the matrix.
type matrix struct {
	platform
	// dead are credentials that no route takes, by name; suspended is a key that
	// worked until its account was suspended.
	dead      map[string]partner.Employer
	suspended partner.Employer
	company   string
	applied   things
}

func newMatrix(t testing.TB) matrix {
	t.Helper()
	m := matrix{platform: newPlatform(t, world.World{
		People:       []world.Person{world.Full()},
		Companies:    []world.Fields{world.Company().With("ref", "com").With("app", "ats")},
		Jobs:         []world.Fields{world.Live().With("ref", "job").With("company", "com")},
		Applications: []world.Application{{Ref: "apl", Job: "job", Person: "layla", CV: "master"}},
		Developers:   []world.Developer{suspendedPlatform()},
	})}
	m.applied = things{m.created.Companies["com"].ID, m.created.Jobs["job"].ID, m.created.Applications["apl"].ID}
	m.company = m.applied.company
	all := "--scopes=" + strings.Join(world.CompanyScopes, ",")
	expiring, _ := m.newKey(t, "ats", all, "--expires-at", time.Now().Add(3*time.Second).UTC().Format(time.RFC3339Nano))
	deleted, id := m.newKey(t, "ats", all)
	listed(t, must(deleted.Companies(t.Context(), ""))(t))
	m.status(t, 0, "key", "delete", id)
	tokens := connect(t, m.app(t, "ats"), m.person(t, "layla"), allScopes, person.Choice{})
	m.dead = map[string]partner.Employer{
		"none": m.api.With(""), "a deleted key": deleted, "an expired key": expiring, "a user token": m.api.With(tokens.Access),
		"a refresh token": m.api.With(tokens.Refresh), "a client secret": m.api.With(m.created.Apps["ats"].ClientSecret),
		"a made-up key": m.api.With("svc_sk_" + strings.Repeat("A", 49)),
	}
	m.suspended = m.key(t, "frozen-key")
	listed(t, must(m.suspended.Companies(t.Context(), ""))(t))
	m.vitaectl(t, "account", "suspend", m.created.Developers["frozen"].ID)
	await(t, "the key expires", func(ctx context.Context) error {
		if a, err := expiring.Companies(ctx, ""); err != nil || a.Status != http.StatusUnauthorized {
			return fmt.Errorf("%s %w", a, err)
		}
		return nil
	})
	return m
}

func suspendedPlatform() world.Developer {
	d := world.OtherPlatform()
	d.Ref, d.Apps[0].Ref, d.Apps[0].APIKeys[0].Ref = "frozen", "frozen-app", "frozen-key"
	return d
}

// things are what a route acts on in the own and the foreign cells.
func (m matrix) things(t testing.TB, r route) things {
	t.Helper()
	on := m.applied
	if r.job != "" {
		on.job = m.jobIn(t, m.company, r.job)
	}
	return on
}

// without is a key with every scope but one.
func (m matrix) without(t testing.TB, scope string) partner.Employer {
	t.Helper()
	var others []string
	for _, s := range world.CompanyScopes {
		if s != scope {
			others = append(others, s)
		}
	}
	c, _ := m.newKey(t, "ats", "--scopes", strings.Join(others, ","))
	return c
}

func TestEveryPartnerRouteAnswersEveryCredentialAsDocumented(t *testing.T) {
	t.Parallel()
	m := newMatrix(t)
	narrow := map[string]partner.Employer{}
	for _, scope := range world.CompanyScopes {
		narrow[scope] = m.without(t, scope)
	}
	unknown := things{"com_unknown", "job_unknown", "apl_unknown"}
	for name, r := range partnerRoutes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			on := m.things(t, r)
			for edge := range m.stack.BaseURLs {
				cell := func(what string, c partner.Employer, on things, want outcome) {
					t.Helper()
					a := call(t, m.edges(c)[edge], name, r.body, on)
					if a.Status != want.status || a.Code() != want.code {
						t.Errorf("%s:", what)
					}
					want.assert(t, a)
				}
				for what, c := range m.dead {
					cell(what, c, on, keyDead)
				}
				cell("a suspended account's key", m.suspended, on, suspended)
				cell("a key without the scope", narrow[r.scope], on, keyNarrow)
				cell("a key without the scope, for nothing", narrow[r.scope], unknown, keyNarrow)
				cell("another account's key", m.key(t, "rival-key"), on, r.foreign)
				cell("a sibling app's key", m.key(t, "sibling-key"), on, r.foreign)
				if r.unknown != (outcome{}) {
					cell("an unknown id", m.api, unknown, r.unknown)
					cell("an id of another kind", m.api, things{on.job, on.company, on.company}, r.unknown)
				}
			}
			// None of the refused calls changed anything: the own key's still works.
			r.own.assert(t, call(t, m.api, name, r.body, on))
		})
	}
}

// TestChecksRunInTheirOrder is decision 1 behind the credential: scope, shape,
// existence and ownership, state.
func TestChecksRunInTheirOrder(t *testing.T) {
	t.Parallel()
	p := newPlatform(t)
	company := p.company(t)
	archived := p.jobIn(t, company, "archived")
	reader, _ := p.newKey(t, "ats", "--scopes", "jobs:read,companies:read,candidates:read")
	rival := p.key(t, "rival-key")
	bad := world.Fields{"distribution": 7}
	for what, c := range map[string]struct {
		answer partner.Answer
		want   outcome
	}{
		"scope before shape":         {must(reader.PatchJob(t.Context(), archived, bad))(t), keyNarrow},
		"scope before malformed":     {must(reader.PatchJob(t.Context(), archived, "{"))(t), keyNarrow},
		"credential before shape":    {must(p.api.With("").CreateCompany(t.Context(), "{"))(t), keyDead},
		"shape before ownership":     {must(rival.PatchJob(t.Context(), archived, bad))(t), outcome{http.StatusBadRequest, invalidCode}},
		"shape before existence":     {must(p.api.PatchJob(t.Context(), "job_unknown", bad))(t), outcome{http.StatusBadRequest, invalidCode}},
		"page before ownership":      {must(rival.Jobs(t.Context(), company, "page=0"))(t), outcome{http.StatusBadRequest, invalidCode}},
		"ownership before state":     {must(rival.Move(t.Context(), archived, "publish"))(t), notOurs},
		"ownership before contract":  {must(rival.CreateJob(t.Context(), company, noTitle(world.Live())))(t), notOurs},
		"a company's slug is no way": {must(rival.PatchCompany(t.Context(), company, world.Fields{"slug": "other"}))(t), notOurs},
	} {
		if c.answer.Status != c.want.status || c.answer.Code() != c.want.code {
			t.Errorf("%s:", what)
		}
		c.want.assert(t, c.answer)
	}
}

// noTitle is a job that breaks the publish contract.
func noTitle(job world.Fields) world.Fields {
	return job.With("basics", job["basics"].(world.Fields).With("title", " "))
}
