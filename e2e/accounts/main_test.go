// Package accounts_test tests what people do with their own accounts, such as creating an account or
// replacing a password. The journeys use the pages in Chromium and read the emails that the stack
// sends.
package accounts_test

import (
	"testing"

	"vitae.internal/e2e/internal/suite"
)

func TestMain(m *testing.M) { suite.Main(m, suite.Options{}) }
