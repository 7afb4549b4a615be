package operators_test

import (
	"strings"
	"testing"

	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/e2e/internal/world"
)

func TestInvalidImportWritesNothing(t *testing.T) {
	t.Parallel()
	good, bad, dev := world.Full(), world.Full(), world.OneDeveloper()
	bad.Ref, bad.Email = "bad", "no address"
	bad.CVs[0].Title = ""
	bad.CVs[0].Ref = "bad-cv"
	dev.Plan = "golden"
	dev.Apps[0].ClientType = "secret"
	dev.Apps[0].RedirectURIs = []string{"http://partner.example.com/callback"}
	dev.Apps[1].Scopes = []string{"profile", "everything"}
	w := world.World{People: []world.Person{good, bad}, Developers: []world.Developer{dev}}
	r := world.TryImport(t, suite.System, w)
	if r.Code != 1 {
		t.Fatalf("exit status %d: %s", r.Code, r.Stderr)
	}
	for _, path := range []string{
		"people[1].email", "people[1].cvs[0].title", "developers[0].plan",
		"developers[0].apps[0].clientType", "developers[0].apps[0].redirectUris[0]", "developers[0].apps[1].scopes[1]",
	} {
		if !strings.Contains(r.Stderr, path) {
			t.Errorf("the errors do not name %s:\n%s", path, r.Stderr)
		}
	}
	if strings.TrimSpace(r.Stdout) != "" {
		t.Errorf("the failed import printed %s", r.Stdout)
	}
	// The valid person was not imported, so the email address and handle are available.
	s := scene.New(t, good)
	scene.Connect(t, s.Client(t, "web"), s.NewPerson(t, "layla"), "profile", person.Choice{})
}
