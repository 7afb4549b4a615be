// Package accounts_test proves what people do with their own accounts, such as creating one or
// replacing a password. The journeys go through the pages in Chromium and read the emails that the
// stack writes.
package accounts_test

import (
	"testing"

	"vitae.internal/e2e/internal/suite"
)

func TestMain(m *testing.M) { suite.Main(m, suite.Options{}) }
