package partnerapi_test

import (
	"fmt"
	"slices"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

// pagesOf asserts that a list is divided into pages as documented. The ids are those of
// the whole list in its order; there must be fewer than 25.
func pagesOf(t testing.TB, list func(query string) partner.Answer, id string, want []string) {
	t.Helper()
	n := len(want)
	for _, c := range []struct {
		query      string
		page, size int
	}{
		{"", 1, 25},
		{"page=1", 1, 25},
		{"pageSize=3", 1, 3},
		{"page=2&pageSize=3", 2, 3},
		{"page=3&pageSize=3", 3, 3},
		{fmt.Sprint("page=1&pageSize=", n), 1, n},
		{fmt.Sprint("page=2&pageSize=", n), 2, n},
		{"pageSize=100", 1, 100},
		{"page=1000&pageSize=100", 1000, 100},
		{"page=2147483647&pageSize=100", 2147483647, 100},
		{"page=2&pageSize=1&unknown=x", 2, 1},
	} {
		a := list(c.query)
		rows, total := expect.Listed(t, a)
		first := min(n, (c.page-1)*c.size)
		if got := expect.Column(rows, id); total != n || !slices.Equal(got, append([]string{}, want[first:min(n, first+c.size)]...)) {
			t.Errorf("%q: %d in all, %v", c.query, total, got)
		}
		meta := expect.Must(a.JSON())(t)["meta"].(map[string]any)
		if expect.Whole(t, meta["page"]) != c.page || expect.Whole(t, meta["pageSize"]) != c.size {
			t.Errorf("%q: meta %v", c.query, meta)
		}
	}
	for query, field := range map[string]string{
		"page=0": "page", "page=-1": "page", "page=x": "page", "page=1.5": "page", "page=": "page", "page=2147483648": "page",
		"page=99999999999999999999": "page", "page=%00": "page", "page=%D9%A1": "page", "page=1&page=2": "page", "page=%2B": "page",
		"pageSize=0": "pageSize", "pageSize=101": "pageSize", "pageSize=-5": "pageSize", "pageSize=ten": "pageSize",
		"pageSize=": "pageSize", "pageSize=4294967297": "pageSize", "page=1&pageSize=1e1": "pageSize",
	} {
		expect.Invalid(t, list(query), field)
	}
}

func TestJobsAreListedNewestFirstByStatusArchivedOnesOnRequest(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t)
	company, other := p.Company(t), p.Company(t)
	p.JobIn(t, other, "active")
	byStatus := map[string][]string{}
	var everyday []string
	for _, status := range []string{"draft", "active", "closed", "archived", "active", "draft", "archived", "active", "closed"} {
		id := p.JobIn(t, company, status)
		byStatus[status] = append([]string{id}, byStatus[status]...)
		if status != "archived" {
			everyday = append([]string{id}, everyday...)
		}
	}
	list := func(filter string) func(string) partner.Answer {
		return func(query string) partner.Answer {
			return expect.Must(p.API.Jobs(t.Context(), company, query+"&"+filter))(t)
		}
	}
	pagesOf(t, list(""), "id", everyday)
	for status, ids := range byStatus {
		pagesOf(t, list("status="+status), "id", ids)
	}
	for _, bad := range []string{"status=live", "status=ACTIVE", "status=", "status=active,draft", "status=1", "status=unspecified", "status=active&status=draft"} {
		expect.Invalid(t, list(bad)(""), "status")
	}
	rows, _ := expect.Listed(t, expect.Must(p.API.Jobs(t.Context(), company, ""))(t))
	for _, row := range rows {
		expect.Matches(t, "a row", expect.Success(t, expect.Must(p.API.Job(t.Context(), row["id"].(string)))(t)), row)
	}
}

func TestAnEmptyCompanyHasNoJobsAndAJobNoCandidates(t *testing.T) {
	t.Parallel()
	p := scene.NewPlatform(t)
	company := p.Company(t)
	job := p.Job(t, company, world.Live())["id"].(string)
	for _, a := range []partner.Answer{
		expect.Must(p.API.Jobs(t.Context(), company, "status=closed"))(t), expect.Must(p.API.Candidates(t.Context(), job, ""))(t),
	} {
		body := expect.Envelope(t, a, 200)
		expect.Matches(t, "empty list", map[string]any{
			"data": []any{}, "error": nil,
			"meta": map[string]any{"page": expect.Number(1), "pageSize": expect.Number(25), "total": expect.Number(0), "totalPages": expect.Number(0)},
		}, body)
	}
}
