// Package console_test tests the developer console as a partner's developer uses it: the sign-in
// through Vitae itself, accounts, apps, credentials, keys and teams. It submits the forms of the pages.
package console_test

import (
	"encoding/json"
	"testing"

	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/suite"
)

func TestMain(m *testing.M) { suite.Main(m, suite.Options{}) }

// listed returns the objects that a vitaectl command lists.
func listed(t *testing.T, s *scene.Scene, args ...string) (list []map[string]any) {
	t.Helper()
	r := s.Exits(t, 0, append(args, "-o", "json")...)
	if err := json.Unmarshal([]byte(r.Stdout), &list); err != nil {
		t.Fatalf("%v: %s", err, r.Stdout)
	}
	return list
}
