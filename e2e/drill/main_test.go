package drill_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"vitae.internal/e2e/internal/suite"
)

// TestMain runs nothing unless `make test-observability` does: the tests take minutes, and a
// machine that is not busy otherwise.
func TestMain(m *testing.M) {
	if os.Getenv("OBSERVABILITY") != "all" {
		fmt.Println("make test-observability runs these tests")
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
