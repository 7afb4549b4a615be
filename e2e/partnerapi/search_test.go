package partnerapi_test

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

// applicant is a person who has applied, with the values that a search can find.
type applicant struct{ ref, name, mail, cv, stage string }

var crowd = []applicant{
	{"jose", "José Álvarez-Núñez", "jose.alvarez", "Résumé produit", ""},
	{"ahmad", "أَحْمَد المنصوري", "ahmad", "السِّيرة الذاتيّة", "reviewed"},
	{"zoe", "ZOË Straße", "zoe+jobs", "Product CV", "reviewed"},
	{"percent", "100% Sure", "a_b.c", "50%_off", "rejected"},
	{"quote", `O'Neil "Q" \Back`, "oneil", "CV; DROP TABLE--", ""},
	{"nguyen", "Nguyễn Thị Ánh", "anh", "Main", "withdrawn"},
	{"fatima", "فاطمة إبراهيم", "fatima", "Product design", ""},
}

// crowdWorld returns a world in which everyone in crowd applies for one job, one person per day.
func crowdWorld() world.World {
	w := world.World{
		Companies: []world.Fields{world.Company().With("ref", "com").With("app", "ats")},
		Jobs:      []world.Fields{world.Live().With("ref", "job").With("company", "com"), world.Live().With("ref", "quiet").With("company", "com")},
	}
	day := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	for i, a := range crowd {
		p := world.Bare()
		// Digits make the email address unique, and no query contains digits.
		p.Ref, p.Name, p.Email = a.ref, a.name, fmt.Sprint(a.mail, "-", rand.Uint64(), "@example.com")
		p.CVs = []world.CV{{Ref: a.ref + "-cv", Title: a.cv, Document: world.Content{Summary: "Product, José, فاطمة."}}}
		w.People = append(w.People, p)
		application := world.Application{
			Ref: a.ref, Job: "job", Person: a.ref, CV: a.ref + "-cv", AppliedAt: day.AddDate(0, 0, i).Format(time.RFC3339),
		}
		if a.stage != "" {
			application.Stages = []string{a.stage}
		}
		w.Applications = append(w.Applications, application)
	}
	return w
}

var everyone = []string{"jose", "ahmad", "zoe", "percent", "quote", "nguyen", "fatima"}

// finds maps each query to the refs that it must find. Which spellings match is covered by the candidate
// service's own tests.
var finds = map[string][]string{
	"": everyone, "JOSÉ": {"jose"}, "alvarez nunez": nil, "resume": {"jose"}, "zoe+jobs": {"zoe"}, "احمد": {"ahmad"}, "فاطمة إبرا": {"fatima"},
	"%": {"percent"}, "_": {"percent"}, `\`: {"quote"}, "DROP table": {"quote"}, "nguyen thi": {"nguyen"}, "Álvarez-Núñez, JOSE": {"jose"}, "nobody at all": nil, "@EXAMPLE.com": everyone,
}

func TestSearchFindsApplicants(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t, crowdWorld())
	job := p.Created.Jobs["job"].ID
	list := func(filter url.Values) func(string) partner.Response {
		return func(query string) partner.Response {
			return expect.Must(p.API.Candidates(t.Context(), job, query+"&"+filter.Encode()))(t)
		}
	}
	// ids returns the application ids of some people in crowd, newest first.
	ids := func(refs ...string) []string {
		var out []string
		for _, a := range slices.Backward(crowd) {
			if slices.Contains(refs, a.ref) {
				out = append(out, p.Created.Applications[a.ref].ID)
			}
		}
		return out
	}
	pagesOf(t, list(nil), "applicationId", ids(everyone...))
	pagesOf(t, list(url.Values{"status": {"reviewed"}}), "applicationId", ids("ahmad", "zoe"))
	pagesOf(t, list(url.Values{"query": {"PRODUCT"}, "status": {"applied"}}), "applicationId", ids("fatima"))
	pagesOf(t, list(url.Values{"query": {"produ"}}), "applicationId", ids("jose", "zoe", "fatima"))

	for query, want := range finds {
		rows, total := expect.Listed(t, list(url.Values{"query": {query}, "pageSize": {"100"}})(""))
		if got := expect.Column(rows, "applicationId"); total != len(want) || !slices.Equal(got, append([]string{}, ids(want...)...)) {
			t.Errorf("%q finds %v, want %v", query, namesOf(rows), want)
		}
	}
	expect.Invalid(t, list(url.Values{"status": {"new"}})(""), "status")
	expect.Invalid(t, list(url.Values{"query": {strings.Repeat("x", 201)}})(""), "query")
	// The search uses the current name.
	scene.UpdateProfile(t, p.Stack, p.Created.People["jose"].ID, scene.Rename("Xavier Qux"))
	if rows, _ := expect.Listed(t, list(url.Values{"query": {"qux"}})("")); len(rows) != 1 {
		t.Errorf("a search for the new name finds %v", namesOf(rows))
	}
	if rows, _ := expect.Listed(t, list(url.Values{"query": {"nunez"}})("")); len(rows) != 0 {
		t.Errorf("a search for the old name finds %v", namesOf(rows))
	}
}

// namesOf returns the names of the candidates in rows.
func namesOf(rows []map[string]any) []string {
	var out []string
	for _, r := range rows {
		out = append(out, fmt.Sprint(expect.At(r, "candidate", "name")))
	}
	return out
}
