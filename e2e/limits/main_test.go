// Package limits_test proves the limits as users have them: the quota and the minute of
// an account, bursts of apps, connections, clients and addresses, and what holds while
// Redis is away.
//
// Its stack is its own, because the limits of an address are on, and because emptying or
// freezing Redis would disturb tests of other packages.
package limits_test

import (
	"testing"

	"vitae.internal/e2e/internal/suite"
)

func TestMain(m *testing.M) { suite.Main(m, suite.Options{Own: true, Split: true, Tiers: true}) }
