package ha_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"vitae.internal/e2e/internal/suite"
)

// TestMain runs nothing unless `make test-ha` does: the tests take minutes and need servers that
// `make test` does not install. Quick tests are with the code: PgBouncer in pkg/postgres, a failover
// of Redis in e2e/faults.
func TestMain(m *testing.M) {
	if os.Getenv("HA") != "all" {
		fmt.Println("make test-ha runs these tests")
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
