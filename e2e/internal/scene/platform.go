package scene

import (
	"context"
	"fmt"
	"testing"

	"google.golang.org/grpc"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/stack"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/e2e/internal/world"
)

// Platform is a world for tests of the partner API, with an app that acts for employers and an app of a
// different account.
type Platform struct {
	*Scene
	// API is the client for the first replica, with a key that has every scope.
	API partner.Employer
}

// NewPlatform imports the accounts of world.Platform and world.OtherPlatform and, if given, the
// contents of one more world.
func NewPlatform(t testing.TB, more ...world.World) Platform {
	t.Helper()
	return PlatformOn(t, suite.System, more...)
}

// PlatformOn is like NewPlatform, on a given stack.
func PlatformOn(t testing.TB, on *stack.Stack, more ...world.World) Platform {
	t.Helper()
	var w world.World
	if len(more) > 0 {
		w = more[0]
	}
	w.Developers = append([]world.Developer{world.Platform(), world.OtherPlatform()}, w.Developers...)
	p := Platform{Scene: Of(t, on, w)}
	p.API = p.Key(t, "ats-key")
	return p
}

// Key returns a client for the first replica that uses the imported key with the given ref.
func (p Platform) Key(t testing.TB, ref string) partner.Employer {
	t.Helper()
	made, ok := p.Created.APIKeys[ref]
	if !ok {
		t.Fatalf("no key %q", ref)
	}
	return partner.Employer{BaseURL: p.Stack.BaseURLs[0], Key: made.Key}
}

// NewKey creates an API key for an app with vitaectl. It returns the client and the key's id.
func (p Platform) NewKey(t testing.TB, app string, flags ...string) (partner.Employer, string) {
	t.Helper()
	made := p.Vitaectl(t, append([]string{"key", "create", "--app", p.Created.Apps[app].ID}, flags...)...)
	return p.API.With(made["key"].(string)), made["id"].(string)
}

// Edges returns a key's client for every replica.
func (p Platform) Edges(key partner.Employer) []partner.Employer {
	var all []partner.Employer
	for _, u := range p.Stack.BaseURLs {
		all = append(all, key.At(u))
	}
	return all
}

// Company creates a company and returns its id.
func (p Platform) Company(t testing.TB) string {
	t.Helper()
	return p.CompanyOf(t, "ats-key")
}

// CompanyOf creates a company with the imported key that has the given ref, and returns the company's id.
func (p Platform) CompanyOf(t testing.TB, key string) string {
	t.Helper()
	return expect.Created(t, expect.Must(p.Key(t, key).CreateCompany(t.Context(), world.Company()))(t))["id"].(string)
}

// Catalog connects to partnercatalog as an internal team.
func (p Platform) Catalog(t testing.TB) *grpc.ClientConn {
	t.Helper()
	return suite.Dial(t, p.Stack, expect.Must(p.Stack.Note())(t).GRPC.PartnerCatalog, "partnercatalog", "internal")
}

// Job creates a job for a company and returns it.
func (p Platform) Job(t testing.TB, company string, body world.Fields) map[string]any {
	t.Helper()
	return expect.Created(t, expect.Must(p.API.CreateJob(t.Context(), company, body))(t))
}

// JobIn creates a job with a status ("draft", "active", "closed" or "archived") and returns its id.
func (p Platform) JobIn(t testing.TB, company, status string) string {
	t.Helper()
	body := world.Live()
	if status == "draft" || status == "archived" {
		body = world.Draft()
	}
	id := p.Job(t, company, body)["id"].(string)
	for _, action := range map[string][]string{"closed": {"close"}, "archived": {"archive"}}[status] {
		expect.Success(t, expect.Must(p.API.Move(t.Context(), id, action))(t))
	}
	return id
}

// JobCount returns the number of jobs in a company's list.
func (p Platform) JobCount(t testing.TB, company string) int {
	t.Helper()
	_, total := expect.Listed(t, expect.Must(p.API.Jobs(t.Context(), company, ""))(t))
	return total
}

// Application reads the imported application with the given ref.
func (p Platform) Application(t testing.TB, ref string) map[string]any {
	t.Helper()
	return expect.Success(t, expect.Must(p.API.Candidate(t.Context(), p.Created.Applications[ref].ID))(t))
}

// ResumeURL returns the resume's download URL of an imported application, and when the URL expires.
func (p Platform) ResumeURL(t testing.TB, ref string) (address, expires string) {
	t.Helper()
	resume, _ := p.Application(t, ref)["resume"].(map[string]any)
	expect.Keys(t, "resume", resume, "downloadUrl", "expiresAt", "filename")
	return resume["downloadUrl"].(string), resume["expiresAt"].(string)
}

// AwaitApplications waits until the applicationCount of a job equals want.
func (p Platform) AwaitApplications(t testing.TB, job string, want int) {
	t.Helper()
	expect.Eventually(t, "applicationCount", func(ctx context.Context) error {
		a, err := p.API.Job(ctx, job)
		if err != nil {
			return err
		}
		body, err := a.JSON()
		if err != nil {
			return err
		}
		if got := expect.At(body, "data", "applicationCount"); fmt.Sprint(got) != fmt.Sprint(want) {
			return fmt.Errorf("applicationCount %v, want %d", got, want)
		}
		return nil
	})
}
