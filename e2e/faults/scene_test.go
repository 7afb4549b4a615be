package faults_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/e2e/internal/world"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// scene is the world of one round, and the ledger of what happens in it.
type scene struct {
	*system
	*ledger
	fault       fault
	appName     string // name of the app on the pages
	made        world.Created
	token       string   // access token of a person who stays connected
	refresh     []string // refresh tokens of another person
	key         string
	company     string
	job         string
	application string // id of an application to the job
	small       string // key of an account with the budget smallDay
	revoker     *person.Person
	people      []string
	keys        authv1.DeveloperServiceClient
	intake      candidatev1.ApplicationIntakeServiceClient
}

func newScene(t *testing.T, s *system, f fault) *scene {
	t.Helper()
	reader, revoker := world.Full(), world.Full()
	reader.CVs, revoker.CVs = nil, nil
	reader.Ref, revoker.Ref = "reader", "revoker"
	small := world.OtherPlatform()
	small.Plan = world.Plan(100_000, smallDay)
	dev := world.OneDeveloper()
	w := world.World{People: []world.Person{reader, revoker}, Developers: []world.Developer{dev, world.Platform(), small}}
	for i := range applicants {
		p := world.Bare()
		p.Ref, p.Profile = fmt.Sprint("applicant", i), &world.Content{Summary: "Applies."}
		w.People = append(w.People, p)
	}
	c := &scene{system: s, ledger: newLedger(), fault: f, appName: dev.Apps[0].Name, made: world.Import(t, s.Stack, w)}
	c.key, c.small = c.made.APIKeys["ats-key"].Key, c.made.APIKeys["rival-key"].Key
	c.keys = authv1.NewDeveloperServiceClient(suite.Dial(t, s.Stack, s.note.GRPC.Auth, "auth", "vitaectl"))
	c.intake = candidatev1.NewApplicationIntakeServiceClient(suite.Dial(t, s.Stack, s.note.GRPC.Candidate, "candidate", "internal"))
	c.revoker = person.New(revoker.Email, revoker.Password)
	tokens := expect.Must(c.connect(t.Context(), person.New(reader.Email, reader.Password)))(t)
	c.token = tokens.Access
	for i := range applicants {
		c.people = append(c.people, c.made.People[fmt.Sprint("applicant", i)].ID)
	}
	api := c.employer(0)
	c.company = id(t, expect.Must(api.CreateCompany(t.Context(), world.Company()))(t))
	c.job = id(t, expect.Must(api.CreateJob(t.Context(), c.company, world.Live()))(t))
	first := &attempt{job: c.job, applied: map[string]string{}}
	if !c.apply(t.Context(), first, c.people[0]) {
		t.Fatal("nobody can apply")
	}
	c.application = first.applied[c.people[0]]
	return c
}

// id is the id of what was created, in an answer that must be 201.
func id(t *testing.T, a partner.Answer) string {
	t.Helper()
	if a.Status != http.StatusCreated {
		t.Fatalf("want 201: %s", a)
	}
	return idOf(a)
}

func idOf(a partner.Answer) string {
	body, _ := a.JSON()
	data, _ := body["data"].(map[string]any)
	got, _ := data["id"].(string)
	return got
}

func (c *scene) employer(edge int) partner.Employer {
	return partner.Employer{BaseURL: c.BaseURLs[edge], Key: c.key}
}

func (c *scene) app(edge int) partner.Client {
	web := c.made.Apps["web"]
	return partner.Client{BaseURL: c.BaseURLs[edge], ID: web.ClientID, Secret: web.ClientSecret, Redirect: world.Redirect}
}

// connect has a person consent, and returns the tokens.
func (c *scene) connect(ctx context.Context, p *person.Person) (partner.Tokens, error) {
	app := c.app(0)
	r := app.NewRequest(world.EveryScope)
	back, err := p.Authorize(ctx, app.URL(r), person.Choice{})
	if err != nil {
		return partner.Tokens{}, err
	}
	a, err := app.Exchange(ctx, back.Query().Get("code"), r.Verifier)
	if err != nil {
		return partner.Tokens{}, err
	}
	return a.Tokens()
}
