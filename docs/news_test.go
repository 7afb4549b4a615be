package docs_test

import (
	"strings"
	"testing"

	"vitae.internal/docs"
)

func TestNewsReadsEveryEntry(t *testing.T) {
	all, err := docs.News()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 3 {
		t.Fatalf("%d news entries, want at least 3", len(all))
	}
	for _, one := range all {
		if one.Title == "" || len(one.Text) < 40 || len(one.Text) > 400 || strings.ContainsAny(one.Text, "`[]\n") || one.Day.Year() < 2026 {
			t.Errorf("%+v", one)
		}
	}
}
