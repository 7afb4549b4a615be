//go:build compose

package compose_test

import (
	"fmt"
	"testing"
)

func TestScalingFailsNoRequest(t *testing.T) {
	d := running(t)
	for _, service := range scalable {
		t.Run(service, func(t *testing.T) {
			l := begin(t)
			for _, replicas := range []int{3, 1} {
				d.compose(t, "up", "--detach", "--no-deps", "--no-build", "--no-recreate", "--scale", fmt.Sprintf("%s=%d", service, replicas), service)
				d.awaitHealthy(t, service, replicas)
				l.awaitMore(t)
			}
			l.nothingFailed(t)
		})
	}
}
