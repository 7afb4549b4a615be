package faults_test

import (
	"context"
	"os"
	"testing"

	"vitae.internal/e2e/internal/suite"
)

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	tidy, err := suite.Prepare(context.Background())
	if err != nil {
		return suite.Fail(err)
	}
	defer tidy()
	defer func() {
		if running != nil {
			running.close()
		}
	}()
	return suite.Verdict(m.Run())
}

// long reports whether to break every process in every way.
func long() bool { return os.Getenv("FAULTS") == "all" }
