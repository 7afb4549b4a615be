package console_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/e2e/internal/world"
)

// A spreadsheet can open a file with Arabic names, and treats no name as a formula.
//
// behaviour: console#files
func TestCSVOpensInSpreadsheets(t *testing.T) {
	t.Parallel()
	who, dev := world.Full(), world.OneDeveloper()
	dev.Members = []world.Member{{Person: who.Ref, Role: "owner"}}
	names := []string{"=1+1 وظائف " + world.Unique(), "＝1+1 " + world.Unique()}
	for i, name := range names {
		dev.Apps[i].Name = name
	}
	s := scene.Of(t, suite.System, world.World{People: []world.Person{who}, Developers: []world.Developer{dev}})
	v := enter(t, s, who.Ref)
	for _, app := range []string{"web", "mobile"} {
		s.Vitaectl(t, "key", "create", "--app", s.Created.Apps[app].ID, "--scopes", "companies:read")
	}
	expect.Eventually(t, "the file names both apps", func(ctx context.Context) error {
		_, file, err := v.Read(ctx, v.url+"/audit.csv")
		if err != nil {
			return err
		}
		for _, name := range names {
			if !strings.HasPrefix(file, "\ufeff") || !strings.Contains(file, ",'"+name) || strings.Contains(file, ","+name) {
				return fmt.Errorf("the file is %q", file)
			}
		}
		return nil
	})
}
