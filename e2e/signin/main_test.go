// Package signin_test proves the way from a partner's site through sign-in and consent
// and back: the authorization request, the pages of Vitae, and what a person may grant.
// Most tests post the forms of the pages; the journeys go through them in Chromium.
package signin_test

import (
	"testing"

	"vitae.internal/e2e/internal/suite"
)

func TestMain(m *testing.M) { suite.Main(m, suite.Options{}) }
