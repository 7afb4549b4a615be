package expect

import (
	"encoding/json"
	"net/http"
	"testing"

	"vitae.internal/e2e/internal/partner"
)

// Listed asserts one page of a list, whose meta fits its rows. It returns the rows
// and the total of the list.
func Listed(t testing.TB, a partner.Answer) ([]map[string]any, int) {
	t.Helper()
	body := Envelope(t, a, http.StatusOK)
	if body["error"] != nil {
		t.Fatalf("want a list alone: %s", a)
	}
	meta, ok := body["meta"].(map[string]any)
	if !ok {
		t.Fatalf("no paging: %s", a)
	}
	Keys(t, "meta", meta, "page", "pageSize", "total", "totalPages")
	page, size, total, pages := Whole(t, meta["page"]), Whole(t, meta["pageSize"]), Whole(t, meta["total"]), Whole(t, meta["totalPages"])
	if want := (total + size - 1) / size; pages != want {
		t.Errorf("totalPages %d, want %d: %v", pages, want, meta)
	}
	rows := Objects(t, body["data"])
	if want := min(size, max(0, total-(page-1)*size)); len(rows) != want {
		t.Errorf("%d rows on page %d, want %d: %v", len(rows), page, want, meta)
	}
	return rows, total
}

// Objects is a JSON array of objects.
func Objects(t testing.TB, v any) []map[string]any {
	t.Helper()
	items, ok := v.([]any)
	if !ok {
		t.Fatalf("%v is no list", v)
	}
	var out []map[string]any
	for _, item := range items {
		o, ok := item.(map[string]any)
		if !ok {
			t.Fatalf("%v is no object", item)
		}
		out = append(out, o)
	}
	return out
}

// Column returns the text that each row has at a key.
func Column(rows []map[string]any, key string) []string {
	out := []string{}
	for _, r := range rows {
		s, _ := r[key].(string)
		out = append(out, s)
	}
	return out
}

// Whole is a JSON number without a fraction.
func Whole(t testing.TB, v any) int {
	t.Helper()
	n, _ := v.(json.Number)
	i, err := n.Int64()
	if err != nil {
		t.Fatalf("%v is no whole number", v)
	}
	return int(i)
}

// List is a list of texts as JSON decodes one.
func List(texts []string) []any {
	out := make([]any, 0, len(texts))
	for _, s := range texts {
		out = append(out, s)
	}
	return out
}
