//go:build compose

package compose_test

import (
	"fmt"
	"testing"
)

func TestScalingFailsNoRequest(t *testing.T) {
	d := running(t)
	for _, part := range parts {
		t.Run(part, func(t *testing.T) {
			l := begin(t)
			for _, replicas := range []int{3, 1} {
				d.compose(t, "up", "--detach", "--no-deps", "--no-build", "--no-recreate", "--scale", fmt.Sprintf("%s=%d", part, replicas), part)
				d.awaitHealthy(t, part, replicas)
				l.more(t)
			}
			l.nothingFailed(t)
		})
	}
}
