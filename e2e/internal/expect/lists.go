package expect

import (
	"encoding/json"
	"net/http"
	"testing"

	"vitae.internal/e2e/internal/partner"
)

// Listed asserts a list response whose meta is consistent with its rows. It returns the rows and the
// total number of items.
func Listed(t testing.TB, a partner.Response) ([]map[string]any, int) {
	t.Helper()
	body := Envelope(t, a, http.StatusOK)
	if body["error"] != nil {
		t.Fatalf("want a list without an error: %s", a)
	}
	meta, ok := body["meta"].(map[string]any)
	if !ok {
		t.Fatalf("no meta: %s", a)
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

// Objects converts a decoded JSON array of objects.
func Objects(t testing.TB, v any) []map[string]any {
	t.Helper()
	items, ok := v.([]any)
	if !ok {
		t.Fatalf("%v is not a list", v)
	}
	var out []map[string]any
	for _, item := range items {
		o, ok := item.(map[string]any)
		if !ok {
			t.Fatalf("%v is not an object", item)
		}
		out = append(out, o)
	}
	return out
}

// Column returns the string at a key of each row.
func Column(rows []map[string]any, key string) []string {
	out := []string{}
	for _, r := range rows {
		s, _ := r[key].(string)
		out = append(out, s)
	}
	return out
}

// Whole converts a JSON number without a fraction.
func Whole(t testing.TB, v any) int {
	t.Helper()
	n, _ := v.(json.Number)
	i, err := n.Int64()
	if err != nil {
		t.Fatalf("%v is not a whole number", v)
	}
	return int(i)
}

// List converts strings to the type of a decoded JSON array.
func List(texts []string) []any {
	out := make([]any, 0, len(texts))
	for _, s := range texts {
		out = append(out, s)
	}
	return out
}
