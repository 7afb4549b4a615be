// Package partnerapi_test proves the partner API, which a platform calls with an API key:
// companies, jobs, applications and resumes, who may reach them, and that concurrent
// calls neither lose nor double anything.
package partnerapi_test

import (
	"flag"
	"os"
	"testing"

	"vitae.internal/e2e/internal/suite"
)

func TestMain(m *testing.M) {
	// Every step of a rapid test is a few requests: runs are short unless the command line
	// asks for more. Files with failing runs would be written into the clone.
	for name, value := range map[string]string{"checks": "10", "steps": "25", "nofailfile": "true"} {
		if err := flag.Set("rapid."+name, value); err != nil {
			os.Exit(suite.Fail(err))
		}
	}
	suite.Main(m, suite.Options{})
}
