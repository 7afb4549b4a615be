// Package tokens_test tests the life of codes and tokens: they are issued, redeemed once, rotated,
// introspected and revoked, and rejected from then on. The tests of auth cover expiry, because they can
// set the clock; the tests of the gateway cover the parameters of the endpoints.
package tokens_test

import (
	"testing"

	"vitae.internal/e2e/internal/suite"
)

func TestMain(m *testing.M) { suite.Main(m, suite.Options{}) }
