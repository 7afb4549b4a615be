package load

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/stack"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/e2e/internal/world"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// Options configures clients. Stack and Pace are required.
type Options struct {
	Stack *stack.Stack
	Pace  Pace
	// Applicants is the number of people who apply for every job. The default is one.
	Applicants int
	// Day is the daily quota of an account that the load exhausts, or 0 for no such account.
	Day int32
}

// Pace is the pause between two requests of a client that reads, writes or uses revoked credentials.
type Pace struct{ Read, Write, Ended time.Duration }

// Clients holds clients of every kind in their own world, and their ledger.
type Clients struct {
	Ledger
	// Silence allows requests to get no response, because the fault is in a gateway replica.
	Silence bool
	// Calm reports whether a read through a replica must succeed despite the fault. Nil means that any
	// read may fail.
	Calm func(read string, edge int) bool

	Made    world.Created
	AppName string // name of the app that people connect, as displayed on the pages
	// Token is an access token of a person who stays connected. Key is an employer's API key.
	Token, Key string
	// Company owns Job. Application is the application for Job by the first of People.
	Company, Job, Application string
	People                    []string // ids of the applicants
	Revoker                   *person.Person
	Keys                      authv1.DeveloperServiceClient
	Intake                    candidatev1.ApplicationIntakeServiceClient

	o     Options
	small string // API key of the account with the small daily quota
	jobs  []*Attempt
}

// New creates clients and imports their world.
func New(t *testing.T, o Options) *Clients {
	t.Helper()
	if o.Stack == nil || o.Pace.Read <= 0 || o.Pace.Write <= 0 || o.Pace.Ended <= 0 {
		t.Fatal(errors.New("load: clients need Stack and Pace"))
	}
	o.Applicants = max(1, o.Applicants)
	reader, revoker := world.Full(), world.Full()
	reader.CVs, revoker.CVs = nil, nil
	reader.Ref, revoker.Ref = "reader", "revoker"
	dev, small := world.OneDeveloper(), world.OtherPlatform()
	w := world.World{People: []world.Person{reader, revoker}, Developers: []world.Developer{dev, world.Platform()}}
	if o.Day > 0 {
		small.Plan = world.Plan(100_000, int(o.Day))
		w.Developers = append(w.Developers, small)
	}
	for i := range o.Applicants {
		p := world.Bare()
		p.Ref, p.Profile = applicant(i), &world.Content{Summary: "Applies."}
		w.People = append(w.People, p)
	}
	note := expect.Must(o.Stack.Note())(t)
	c := &Clients{
		o: o, AppName: dev.Apps[0].Name, Made: world.Import(t, o.Stack, w),
		Revoker: person.New(revoker.Email, revoker.Password), Intake: scene.Intake(t, o.Stack),
		Keys: authv1.NewDeveloperServiceClient(suite.Dial(t, o.Stack, note.GRPC.Auth, "auth", "vitaectl")),
	}
	c.Key, c.small = c.Made.APIKeys["ats-key"].Key, c.Made.APIKeys["rival-key"].Key
	for i := range o.Applicants {
		c.People = append(c.People, c.Made.People[applicant(i)].ID)
	}
	c.Token = expect.Must(c.Connect(t.Context(), person.New(reader.Email, reader.Password)))(t).Access
	c.begin(t)
	return c
}

func applicant(i int) string { return fmt.Sprint("applicant", i) }

// begin creates a company with a job and an application.
func (c *Clients) begin(t *testing.T) {
	t.Helper()
	company := expect.Must(c.Employer(0).CreateCompany(t.Context(), world.Company()))(t)
	if c.Company = ID(company); company.Status != http.StatusCreated || c.Company == "" {
		t.Fatalf("a company: %s", company)
	}
	first := c.NewAttempt()
	if !c.CreateJob(t.Context(), first, 0) || !c.apply(t.Context(), first, c.People[0]) {
		c.Report(t)
		t.Fatal("cannot create a job and apply for it")
	}
	c.Job, c.Application = first.Job, first.applied[c.People[0]]
}

// ID returns the id of a created object, or "".
func ID(a partner.Response) string {
	body, _ := a.JSON()
	data, _ := body["data"].(map[string]any)
	got, _ := data["id"].(string)
	return got
}

// Employer returns the employer's client for a gateway replica.
func (c *Clients) Employer(edge int) partner.Employer {
	return partner.Employer{BaseURL: c.o.Stack.BaseURLs[edge], Key: c.Key}
}

// App returns the client, for a gateway replica, of the app that people connect.
func (c *Clients) App(edge int) partner.Client {
	web := c.Made.Apps["web"]
	return partner.Client{BaseURL: c.o.Stack.BaseURLs[edge], ID: web.ClientID, Secret: web.ClientSecret, Redirect: world.Redirect}
}

// Connect signs in, consents and returns the tokens.
func (c *Clients) Connect(ctx context.Context, p *person.Person) (partner.Tokens, error) {
	return scene.TryConnect(ctx, c.App(0), p, world.EveryScope)
}
