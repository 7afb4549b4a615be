package roundtrips_test

import (
	"slices"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/e2e/internal/world"
)

// route is a kind of request with the calls and queries that one such request causes.
type route struct {
	name string
	send func(*testing.T)
	want []string
}

func checkRoutes(t *testing.T, routes []route) {
	for _, r := range routes {
		t.Run(strings.ReplaceAll(r.name, "/", " "), func(t *testing.T) {
			if got := trips(t, r.send); !slices.Equal(got, r.want) {
				t.Errorf("a request causes\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(r.want, "\n"))
			}
		})
	}
}

// wantStatus returns a function that sends a request and requires the status.
func wantStatus(status int, send func(*testing.T) (partner.Response, error)) func(*testing.T) {
	return func(t *testing.T) {
		t.Helper()
		if a := expect.Must(send(t))(t); a.Status != status {
			t.Fatal(a)
		}
	}
}

func TestPersonRequestsCauseFewCalls(t *testing.T) {
	s := scene.Of(t, suite.System, world.World{People: []world.Person{world.Full()}, Developers: []world.Developer{world.OneDeveloper()}})
	c := scene.Connected{Scene: s, App: s.Client(t, "web"), Person: s.NewPerson(t, "layla")}
	c.Tokens = scene.Connect(t, c.App, c.Person, world.EveryScope, person.Choice{})
	get := func(path string, headers ...string) func(*testing.T) (partner.Response, error) {
		return func(t *testing.T) (partner.Response, error) {
			return c.App.Get(t.Context(), path, c.Tokens.Access, headers...)
		}
	}
	tag := expect.Must(get("/v1/me/cv")(t))(t).Header.Get("ETag")
	link := c.Link(t)
	checkRoutes(t, []route{
		{"GET /v1/me", wantStatus(200, get("/v1/me")), []string{"candidate > Postgres: 1", "gateway > MeService/GetMe: 1", "gateway > Redis: 1"}},
		{"GET /v1/me/cv", wantStatus(200, get("/v1/me/cv")), []string{"candidate > Postgres: 1", "gateway > MeService/GetSharedCv: 1", "gateway > Redis: 1"}},
		{"GET /v1/me/cv unchanged", wantStatus(304, get("/v1/me/cv", "If-None-Match", tag)), []string{"candidate > Postgres: 1", "gateway > MeService/GetSharedCv: 1", "gateway > Redis: 1"}},
		{"GET /v1/me/cv.pdf unchanged", wantStatus(200, get("/v1/me/cv.pdf")), []string{"candidate > Postgres: 1", "gateway > CvRenderService/RenderCv: 1", "gateway > MeService/GetSharedCv: 1", "gateway > Redis: 1"}},
		{"GET the durable link", wantStatus(200, func(t *testing.T) (partner.Response, error) { return partner.Get(t.Context(), link, "") }), []string{"candidate > Postgres: 1", "gateway > CvRenderService/RenderCv: 1", "gateway > MeService/GetSharedCv: 1", "gateway > Redis: 1"}},
		{"POST /oauth/introspect", wantStatus(200, func(t *testing.T) (partner.Response, error) { return c.App.Introspect(t.Context(), c.Tokens.Access) }), []string{"gateway > Redis: 1"}},
		{"POST /oauth/token, a refresh", func(t *testing.T) {
			c.Tokens = expect.Must(expect.Must(c.App.Refresh(t.Context(), c.Tokens.Refresh, ""))(t).Tokens())(t)
		}, []string{"auth > Postgres: 1", "gateway > OAuthService/RefreshToken: 1"}},
		{"no credential", wantStatus(401, func(t *testing.T) (partner.Response, error) { return c.App.Get(t.Context(), "/v1/me", "") }), nil},
	})
}

func TestPlatformRequestsCauseFewCalls(t *testing.T) {
	p := scene.NewPlatform(t)
	company := p.Company(t)
	job := p.JobIn(t, company, "active")
	get := func(path string) func(*testing.T) {
		return wantStatus(200, func(t *testing.T) (partner.Response, error) { return p.API.Get(t.Context(), path, "") })
	}
	checkRoutes(t, []route{
		{"GET /v1/companies", get("/v1/companies"), []string{"gateway > CompanyService/ListCompanies: 1", "gateway > Redis: 1", "partnercatalog > Postgres: 1"}},
		{"GET /v1/companies/{id}", get("/v1/companies/" + company), []string{"gateway > CompanyService/GetCompany: 1", "gateway > Redis: 1", "partnercatalog > Postgres: 1"}},
		{"GET /v1/companies/{id}/jobs", get("/v1/companies/" + company + "/jobs"), []string{"gateway > JobService/ListJobs: 1", "gateway > Redis: 1", "partnercatalog > Postgres: 1"}},
		{"GET /v1/jobs/{id}", get("/v1/jobs/" + job), []string{"gateway > JobService/GetJob: 1", "gateway > Redis: 1", "partnercatalog > Postgres: 1"}},
		{"GET /v1/jobs/{id}/candidates", get("/v1/jobs/" + job + "/candidates"), []string{"candidate > JobPostingService/GetJobPosting: 1", "candidate > Postgres: 2", "gateway > ApplicationService/ListJobApplications: 1", "gateway > Redis: 1", "partnercatalog > Postgres: 1"}},
		{"POST /v1/companies", wantStatus(201, func(t *testing.T) (partner.Response, error) { return p.API.CreateCompany(t.Context(), world.Company()) }), []string{"gateway > CompanyService/CreateCompany: 1", "gateway > Redis: 1", "partnercatalog > Postgres: 1"}},
	})
}
