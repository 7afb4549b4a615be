// Package roundtrips_test holds what a request asks of whom: how often of Redis, which calls
// of which parts, how often of their databases. A request's cost is mostly these, and unlike
// times they do not depend on the machine (docs/performance.md).
//
// Its stack is its own, because requests of other tests would be counted too.
package roundtrips_test

import (
	"testing"

	"vitae.internal/e2e/internal/suite"
)

func TestMain(m *testing.M) { suite.Main(m, suite.Options{Own: true, Split: true}) }
