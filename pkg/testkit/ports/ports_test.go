package ports

import "testing"

func TestBlocksAvoidEphemeralPorts(t *testing.T) {
	for _, kernel := range [][2]int{{32768, 60999}, {15000, 61000}, {12100, 12100}, {1024, 65535}, {49152, 65535}} {
		for _, first := range blocks(kernel[0], kernel[1]) {
			if last := first + blockSize - 1; last >= kernel[0] && first <= kernel[1] || last > highestPort {
				t.Errorf("ephemeral range %v: block %d to %d overlaps it", kernel, first, last)
			}
		}
	}
	if got := len(blocks(32768, 60999)); got < 40 {
		t.Errorf("with Linux's default range: %d blocks, want at least 40", got)
	}
	if got := blocks(1024, 65535); len(got) != 0 {
		t.Errorf("with only ephemeral ports: blocks %v, want none", got)
	}
}

func TestNextLimitsReplicas(t *testing.T) {
	for _, replicas := range []int{-1, 0, MaxReplicas + 1} {
		if port, err := Next(replicas); err == nil {
			t.Errorf("%d replicas got port %d", replicas, port)
		}
	}
	if _, err := Next(MaxReplicas); err != nil {
		t.Error(err)
	}
}

func TestWithReturnsEachPortOnce(t *testing.T) {
	taken := map[int]bool{}
	for range 40 {
		first, err := With(1, 2, 3)
		if err != nil {
			t.Fatal(err)
		}
		for port := first; port <= first+3; port++ {
			if taken[port] {
				t.Fatalf("port %d was returned twice", port)
			}
			taken[port] = true
		}
	}
	if port, err := With(blockSize); err == nil {
		t.Errorf("got port %d for a distance beyond the block", port)
	}
}
