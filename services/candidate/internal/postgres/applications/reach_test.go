package applications

import "testing"

func TestWalkIsChosenIfItReadsLess(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		last, total, applications, reach int64
		walks                            bool
	}{
		{25, 100_000, 1_000_000, 4 * 251, true},            // the first page for a text that a tenth of the applications match
		{50_025, 100_000, 1_000_000, 4 * 500_251, false},   // a page in the middle of these hits
		{500_025, 1_000_000, 1_000_000, 4 * 500_026, true}, // a page for a text that all applications match
		{1_000_000, 1_000_000, 1_000_000, 4 * 1_000_001, false},
		{25, 5_000, 1_000_000, 4 * 5_001, false},
		{25, 5_001, 1_000_000, 4 * 5_000, true},
		{1, 1, 1, 4 * 2, false},
		{1, 1 << 31, 1 << 31, 4 * 2, true},
		{1 << 31, 1<<31 - 1, 1<<31 - 1, 4 * (1<<31 + 1), false},
	} {
		reach, walks := reachOfWalk(c.last, c.total, c.applications)
		if walks != c.walks || walks && reach != c.reach {
			t.Errorf("to hit %d of %d in %d: %d, %v; want %d, %v", c.last, c.total, c.applications, reach, walks, c.reach, c.walks)
		}
	}
}
