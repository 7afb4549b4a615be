package ha_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"vitae.internal/e2e/internal/suite"
)

// TestMain runs the tests only if `make test-ha` does: they take minutes and need servers that `make test` does
// not install. Quick tests are in pkg/postgres (PgBouncer) and e2e/faults (Redis failovers).
func TestMain(m *testing.M) {
	if os.Getenv("HA") != "all" {
		fmt.Println("run these tests with make test-ha")
		return
	}
	os.Exit(run(m))
}

func run(m *testing.M) int {
	tidy, err := suite.Prepare(context.Background())
	if err != nil {
		return suite.Fail(err)
	}
	defer tidy()
	return suite.Verdict(m.Run())
}
