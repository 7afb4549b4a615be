// Package limits_test tests the limits as users see them: the daily quota and the per-minute limit of
// an account, and bursts of apps, connections, clients and IP addresses. It also tests which limits
// apply while Redis is down.
//
// It has its own stack, because the limits per IP address are enabled, and because emptying or
// suspending Redis would disturb tests of other packages.
package limits_test

import (
	"testing"

	"vitae.internal/e2e/internal/suite"
)

func TestMain(m *testing.M) { suite.Main(m, suite.Options{Own: true, Split: true, Tiers: true}) }
