// Package partnerapi_test tests the partner API, which a platform calls with an API key. It covers
// companies, jobs, applications and resumes, and who has access to them. Concurrent calls neither lose
// nor duplicate anything. The tests of partnercatalog, candidate and the gateway cover single fields
// and error codes.
package partnerapi_test

import (
	"testing"

	"vitae.internal/e2e/internal/suite"
)

func TestMain(m *testing.M) { suite.Main(m, suite.Options{}) }
