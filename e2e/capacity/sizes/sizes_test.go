package sizes_test

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"testing"

	"vitae.internal/e2e/capacity"
	"vitae.internal/e2e/capacity/sizes"
	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/stack"
	"vitae.internal/e2e/internal/suite"
)

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	tidy, err := suite.Prepare(context.Background())
	if err != nil {
		return suite.Fail(err)
	}
	defer tidy()
	return m.Run()
}

// within is by how much a size may differ from the file.
const within = 0.10

// A size that has changed is no fault: `make capacity` measures again and writes file and page.
// The test is there so that it is noticed.
func TestSizesAreThoseOfTheCapacityModel(t *testing.T) {
	c := expect.Must(capacity.ReadCoefficients("../coefficients.json"))(t)
	s := expect.Must(stack.New(stack.Options{Binaries: suite.Programs, Dir: filepath.Join(suite.Scratch, "sizes"), Replicas: 1, Env: []string{sizes.Setting}}))(t)
	suite.Begin(t, s)
	t.Cleanup(func() { suite.Stop(t, s) })
	got := sizes.Measure(t, s)
	for _, kind := range capacity.RowKinds {
		compare(t, kind+", rows", got.Rows[kind].Table, c.Rows[kind].Table)
		compare(t, kind+", indexes", got.Rows[kind].Indexes, c.Rows[kind].Indexes)
		if got.Rows[kind].Database != c.Rows[kind].Database {
			t.Errorf("%s is in %s, not in %s", kind, got.Rows[kind].Database, c.Rows[kind].Database)
		}
	}
	for _, kind := range capacity.KeyKinds {
		compare(t, kind+", Redis", got.Redis[kind], c.Redis[kind])
	}
	compare(t, "bucket", got.Blob, c.Blob)
}

func compare(t *testing.T, what string, got, file float64) {
	t.Helper()
	t.Logf("%s: %.1f bytes, in the file %.1f", what, got, file)
	if math.Abs(got-file) > within*file {
		t.Errorf("%s: %.1f bytes, in the file %.1f; `make capacity` measures anew", what, got, file)
	}
}
