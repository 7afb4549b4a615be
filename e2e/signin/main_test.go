// Package signin_test tests the way from a partner's site through sign-in and consent and back: the
// authorization request, the pages of Vitae, and what a person may grant. Most tests submit the forms
// of the pages directly; the journeys use the pages in Chromium.
package signin_test

import (
	"testing"

	"vitae.internal/e2e/internal/suite"
)

func TestMain(m *testing.M) { suite.Main(m, suite.Options{}) }
