package sharing_test

import (
	"net/http"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/e2e/internal/world"
)

func TestPrivateProfileHasNoPages(t *testing.T) {
	t.Parallel()
	private := world.Full()
	private.ProfilePublic = false
	s := scene.New(t, private)
	c := scene.Connected{Scene: s, App: s.Client(t, "web")}
	c.Tokens = scene.Connect(t, c.App, s.NewPerson(t, "layla"), world.EveryScope, person.Choice{})
	if u := expect.Success(t, c.Get(t, "/v1/me"))["profileUrl"]; u != nil {
		t.Errorf("profileUrl %v, want null", u)
	}
	cv := expect.Success(t, c.Get(t, "/v1/me/cv"))
	if cv["publicProfileUrl"] != nil || expect.At(cv, "document", "publicCvUrl") != nil {
		t.Errorf("publicProfileUrl %v, publicCvUrl %v; want null", cv["publicProfileUrl"], expect.At(cv, "document", "publicCvUrl"))
	}
	for _, path := range []string{"/p/" + private.Username, "/p/" + private.Username + "/cv"} {
		if a := scene.Open(t, suite.System.AppURLs[0]+path); a.Status != http.StatusNotFound {
			t.Errorf("%s: %d, want 404", path, a.Status)
		}
	}
}

func TestPublicPagesShowNoPrivateDetail(t *testing.T) {
	t.Parallel()
	c := scene.Everything(t)
	cv := expect.Success(t, c.Get(t, "/v1/me/cv"))
	for _, page := range []any{cv["publicProfileUrl"], expect.At(cv, "document", "publicCvUrl"), expect.Success(t, c.Get(t, "/v1/me"))["profileUrl"]} {
		a := scene.Open(t, page.(string))
		if a.Status != http.StatusOK {
			t.Fatalf("%v: status %d", page, a.Status)
		}
		expect.Shows(t, page.(string), string(a.Body), true, "Layla Haddad", "Backend engineer")
		for _, private := range privateTexts(c.World.People[0]) {
			if strings.Contains(string(a.Body), private) {
				t.Errorf("%v shows %q", page, private)
			}
		}
	}
	public := expect.At(cv, "document", "publicCvUrl").(string)
	pdf := expect.Flattened(expect.PDFText(t, scene.Open(t, public+".pdf")))
	expect.Shows(t, "the public PDF", pdf, true, "Layla Haddad", "Careem")
	expect.Shows(t, "the public PDF", pdf, false, privateTexts(c.World.People[0])...)
}

// privateTexts returns values that require the scope cv:contact or email.
func privateTexts(p world.Person) []string {
	out := []string{p.Email, world.Phone, "50 123 4567", "Villa 12", "Al Wasl"}
	for key, v := range p.PersonalDetails {
		if key != "dependents" && key != "residence" { // too short: other values contain them
			out = append(out, v)
		}
	}
	return out
}
