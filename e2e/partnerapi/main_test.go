// Package partnerapi_test proves the partner API, which a platform calls with an API key:
// companies, jobs, applications and resumes, who may reach them, and that concurrent
// calls neither lose nor duplicate anything. The tests of partnercatalog, candidate and the
// gateway prove single fields and error codes.
package partnerapi_test

import (
	"testing"

	"vitae.internal/e2e/internal/suite"
)

func TestMain(m *testing.M) { suite.Main(m, suite.Options{}) }
