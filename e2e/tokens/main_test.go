// Package tokens_test tests the life of codes and tokens: they are issued, redeemed once, rotated, introspected
// and revoked, and rejected from then on. Expiry is covered by auth's own tests, because they can set the
// clock; parameters of the endpoints are covered by the gateway's tests.
package tokens_test

import (
	"testing"

	"vitae.internal/e2e/internal/suite"
)

func TestMain(m *testing.M) { suite.Main(m, suite.Options{}) }
