// Package partnerapi_test tests the partner API, which a platform calls with an API key. It covers companies,
// jobs, applications and resumes, and who has access to them. Concurrent calls neither lose nor duplicate
// anything. Single fields and error codes are covered by the tests of the partnercatalog and candidate services
// and the gateway.
package partnerapi_test

import (
	"testing"

	"vitae.internal/e2e/internal/suite"
)

func TestMain(m *testing.M) { suite.Main(m, suite.Options{}) }
