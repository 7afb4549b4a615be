package redisx_test

import (
	"testing"
	"time"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/redisx"
)

func TestRestAllowsOneCallPerPause(t *testing.T) {
	t.Parallel()
	now := clock.NewFake(time.Unix(1_800_000_000, 0))
	rest, err := redisx.NewRest(now)
	if err != nil {
		t.Fatal(err)
	}
	if !rest.Allow() || !rest.Allow() || rest.Succeeded() {
		t.Fatal("paused before a failure")
	}
	rest.Failed()
	if rest.Allow() {
		t.Error("a call was allowed directly after a failure")
	}
	now.Advance(time.Second)
	if !rest.Allow() || rest.Allow() {
		t.Error("want exactly one allowed call after the pause")
	}
	now.Advance(time.Second)
	if !rest.Allow() {
		t.Error("a call without a reported result blocks all others")
	}
	if !rest.Succeeded() || rest.Succeeded() {
		t.Error("want the end of the pause to be reported exactly once")
	}
	if !rest.Allow() || !rest.Allow() {
		t.Error("paused after a success")
	}
}
