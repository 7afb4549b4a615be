package e2e_test

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/world"
)

// applicant is one row of the search's world.
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

// crowdWorld has everyone of the crowd apply for one job, one a day.
func crowdWorld() world.World {
	w := world.World{
		Companies: []world.Fields{world.Company().With("ref", "com").With("app", "ats")},
		Jobs:      []world.Fields{world.Live().With("ref", "job").With("company", "com"), world.Live().With("ref", "quiet").With("company", "com")},
	}
	day := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	for i, a := range crowd {
		p := world.Bare()
		// Digits, in which no query can be found by chance.
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

func TestCandidatesAreFoundPagedAndFiltered(t *testing.T) {
	t.Parallel()
	p := newPlatform(t, crowdWorld())
	job := p.created.Jobs["job"].ID
	list := func(filter url.Values) func(string) partner.Answer {
		return func(query string) partner.Answer {
			return must(p.api.Candidates(t.Context(), job, query+"&"+filter.Encode()))(t)
		}
	}
	// Refs of the crowd, newest first, as the ids that a list must have.
	ids := func(refs ...string) []string {
		var out []string
		for _, a := range slices.Backward(crowd) {
			if slices.Contains(refs, a.ref) {
				out = append(out, p.created.Applications[a.ref].ID)
			}
		}
		return out
	}
	everyone := []string{"jose", "ahmad", "zoe", "percent", "quote", "nguyen", "fatima"}
	pagesOf(t, list(nil), "applicationId", ids(everyone...))
	pagesOf(t, list(url.Values{"status": {"reviewed"}}), "applicationId", ids("ahmad", "zoe"))
	pagesOf(t, list(url.Values{"query": {"PRODUCT"}, "status": {"applied"}}), "applicationId", ids("fatima"))
	pagesOf(t, list(url.Values{"query": {"produ"}}), "applicationId", ids("jose", "zoe", "fatima"))

	for query, want := range map[string][]string{
		"": everyone, "   ": everyone, "jose": {"jose"}, "JOSÉ": {"jose"}, "alvarez nunez": nil, "lvarez-Nun": {"jose"}, "resume": {"jose"},
		"é": everyone, "zoe": {"zoe"}, "zoe+jobs": {"zoe"}, "احمد": {"ahmad"}, "أحمد": {"ahmad"}, "منصور": {"ahmad"},
		"السيرة": {"ahmad"}, "ابراهيم": {"fatima"}, "فاطمة إبرا": {"fatima"}, "100%": {"percent"}, "%": {"percent"}, "_": {"percent"}, "a_b": {"percent"},
		"%_": {"percent"}, `\`: {"quote"}, `"q"`: {"quote"}, "o'neil": {"quote"}, "DROP table": {"quote"}, "nguyen thi": {"nguyen"}, "ANH": {"nguyen"},
		"nobody at all": nil, "فاطمة.": nil, "Network engineer": nil, "@EXAMPLE.com": everyone, strings.Repeat("x", 200): nil,
	} {
		rows, total := listed(t, list(url.Values{"query": {query}, "pageSize": {"100"}})(""))
		if got := column(rows, "applicationId"); total != len(want) || !slices.Equal(got, append([]string{}, ids(want...)...)) {
			t.Errorf("%q finds %v, want %v", query, whoIs(rows), want)
		}
	}
	for _, person := range p.world.People {
		rows, _ := listed(t, list(url.Values{"query": {strings.ToUpper(person.Email)}})(""))
		if len(rows) != 1 || at(rows[0], "candidate", "email") != person.Email {
			t.Errorf("%s finds %v", person.Email, whoIs(rows))
		}
	}
	for _, status := range []string{"", "new", "APPLIED", "1", "unspecified", "applied,reviewed"} {
		invalid(t, list(url.Values{"status": {status}})(""), "status")
	}
	for _, bad := range []string{strings.Repeat("x", 201), "a\x00b", "\xff"} {
		invalid(t, list(url.Values{"query": {bad}})(""), "query")
	}
	if _, total := listed(t, must(p.api.Candidates(t.Context(), p.created.Jobs["quiet"].ID, "query=jose"))(t)); total != 0 {
		t.Errorf("%d applications to a job that has none", total)
	}
	// What is searched is the person as of now.
	updateProfile(t, p.stack, p.created.People["jose"].ID, rename("Xavier Qux"))
	if rows, _ := listed(t, list(url.Values{"query": {"qux"}})("")); len(rows) != 1 {
		t.Errorf("the new name finds %v", whoIs(rows))
	}
	if rows, _ := listed(t, list(url.Values{"query": {"nunez"}})("")); len(rows) != 0 {
		t.Errorf("the old name finds %v", whoIs(rows))
	}
}

// whoIs names the candidates of rows.
func whoIs(rows []map[string]any) []string {
	var out []string
	for _, r := range rows {
		out = append(out, fmt.Sprint(at(r, "candidate", "name")))
	}
	return out
}
