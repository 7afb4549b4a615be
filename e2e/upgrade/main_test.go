//go:build upgrade

package upgrade_test

import (
	"context"
	"errors"
	"os"
	"testing"

	"vitae.internal/e2e/internal/stack"
	"vitae.internal/e2e/internal/suite"
)

// before is the folder created by tools/release/before.sh, with bin and tree.
var before = os.Getenv("UPGRADE_FROM")

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	if before == "" {
		return suite.Fail(errors.New("UPGRADE_FROM is not set: see make test-upgrade"))
	}
	tidy, err := suite.Prepare(context.Background())
	if err != nil {
		return suite.Fail(err)
	}
	defer tidy()
	return m.Run()
}

func programsBefore() stack.Binaries { return stack.Binaries{Dir: before + "/bin"} }
