package audit_test

import (
	"os"
	"regexp"
	"slices"
	"testing"

	"vitae.internal/pkg/audit"
)

func TestEveryActionIsDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/behaviour/audit.md")
	if err != nil {
		t.Fatal(err)
	}
	var explained []audit.Action
	rows := regexp.MustCompile("(?m)^\\| (`[a-z_.`, ]+) \\|").FindAllSubmatch(page, -1)
	for _, row := range rows {
		for _, word := range regexp.MustCompile("`([a-z_]+\\.[a-z_]+)`").FindAllSubmatch(row[1], -1) {
			explained = append(explained, audit.Action(word[1]))
		}
	}
	want := slices.Sorted(slices.Values(audit.Actions))
	if slices.Sort(explained); !slices.Equal(explained, want) {
		t.Errorf("documented actions %v,\nwant %v", explained, want)
	}
}
