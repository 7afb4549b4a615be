// Package roundtrips_test tests which calls and queries a request causes: to Redis, between services,
// and to databases. They account for most of a request's cost and, unlike durations, do not depend on
// the machine (docs/performance.md).
//
// It has its own stack, because requests of other tests would also be counted.
package roundtrips_test

import (
	"testing"

	"vitae.internal/e2e/internal/suite"
)

func TestMain(m *testing.M) { suite.Main(m, suite.Options{Own: true, Split: true}) }
