package drill_test

import (
	"context"
	"fmt"
	"os"
	"testing"

	"vitae.internal/e2e/internal/suite"
)

// TestMain runs the tests only if `make test-observability` does, because they take minutes and need an
// otherwise idle machine.
func TestMain(m *testing.M) {
	if os.Getenv("OBSERVABILITY") != "all" {
		fmt.Println("run these tests with make test-observability")
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
