// Package limits_test proves the limits as users see them: the daily quota and the per-minute
// limit of an account, and bursts of apps, connections, clients and addresses. It also proves
// which limits apply while Redis is down.
//
// It has its own stack, because the limits of an address are on, and because emptying or
// freezing Redis would disturb tests of other packages.
package limits_test

import (
	"testing"

	"vitae.internal/e2e/internal/suite"
)

func TestMain(m *testing.M) { suite.Main(m, suite.Options{Own: true, Split: true, Tiers: true}) }
