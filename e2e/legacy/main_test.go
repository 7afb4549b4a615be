// Package legacy_test proves the legacy interface for profile sharing, which pages and
// partners call the legacy interface: its requests, its profile, its tokens, its limits,
// and that nothing of it is accepted at the REST API or the other way round.
package legacy_test

import (
	"testing"

	"vitae.internal/e2e/internal/suite"
)

func TestMain(m *testing.M) { suite.Main(m, suite.Options{}) }
