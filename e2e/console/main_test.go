// Package console_test proves the developer console as a partner's developer uses it: the
// sign-in through Vitae itself, accounts, apps, credentials, keys and teams. It posts the
// forms of the pages.
package console_test

import (
	"testing"

	"vitae.internal/e2e/internal/suite"
)

func TestMain(m *testing.M) { suite.Main(m, suite.Options{}) }
