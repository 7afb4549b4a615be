// Package tokens_test proves the life of codes and tokens: they are issued, redeemed once, rotated,
// introspected, revoked, and refused from then on. The tests of auth prove that they expire,
// because they can set its clock; those of the gateway prove the parameters of the endpoints.
package tokens_test

import (
	"testing"

	"vitae.internal/e2e/internal/suite"
)

func TestMain(m *testing.M) { suite.Main(m, suite.Options{}) }
