// Package legacy_test tests the legacy interface for profile sharing: its profile, tokens and limits.
// It also tests that the REST API accepts none of its credentials, and vice versa.
package legacy_test

import (
	"testing"

	"vitae.internal/e2e/internal/suite"
)

func TestMain(m *testing.M) { suite.Main(m, suite.Options{}) }
