package partnerapi_test

import (
	"fmt"
	"slices"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/scene"
)

// pagesOf asserts that a list is divided into pages as documented. want holds the ids of the whole list
// in order, which must be fewer than 25.
func pagesOf(t testing.TB, list func(query string) partner.Response, id string, want []string) {
	t.Helper()
	n := len(want)
	for _, c := range []struct {
		query      string
		page, size int
	}{
		{"", 1, 25},
		{"page=2&pageSize=3", 2, 3},
		{fmt.Sprint("page=2&pageSize=", n), 2, n},
		{"page=2147483647&pageSize=100", 2147483647, 100},
	} {
		a := list(c.query)
		rows, total := expect.Listed(t, a)
		first := min(n, (c.page-1)*c.size)
		if got := expect.Column(rows, id); total != n || !slices.Equal(got, append([]string{}, want[first:min(n, first+c.size)]...)) {
			t.Errorf("%q: %d in total, %v", c.query, total, got)
		}
		meta := expect.Must(a.JSON())(t)["meta"].(map[string]any)
		if expect.Whole(t, meta["page"]) != c.page || expect.Whole(t, meta["pageSize"]) != c.size {
			t.Errorf("%q: meta %v", c.query, meta)
		}
	}
	expect.Invalid(t, list("page=0"), "page")
	expect.Invalid(t, list("pageSize=101"), "pageSize")
}

func TestJobsAreListedNewestFirst(t *testing.T) {
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
	list := func(filter string) func(string) partner.Response {
		return func(query string) partner.Response {
			return expect.Must(p.API.Jobs(t.Context(), company, query+"&"+filter))(t)
		}
	}
	pagesOf(t, list(""), "id", everyday)
	for status, ids := range byStatus {
		pagesOf(t, list("status="+status), "id", ids)
	}
	expect.Invalid(t, list("status=live")(""), "status")
	rows, _ := expect.Listed(t, expect.Must(p.API.Jobs(t.Context(), company, ""))(t))
	for _, row := range rows {
		expect.Matches(t, "a row", expect.Success(t, expect.Must(p.API.Job(t.Context(), row["id"].(string)))(t)), row)
	}
}
