// Package tokens_test proves what happens to codes and tokens: they are issued,
// redeemed once, rotated, introspected, revoked, and refused for ever after. That they
// expire is proven in the auth service, whose clock a test can set.
package tokens_test

import (
	"testing"

	"vitae.internal/e2e/internal/suite"
)

func TestMain(m *testing.M) { suite.Main(m, suite.Options{}) }
