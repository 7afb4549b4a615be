package redisx_test

import (
	"testing"
	"time"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/redisx"
)

func TestARestLetsOneCallThroughAtATime(t *testing.T) {
	t.Parallel()
	now := clock.NewFake(time.Unix(1_800_000_000, 0))
	rest, err := redisx.NewRest(now)
	if err != nil {
		t.Fatal(err)
	}
	if !rest.Allow() || !rest.Allow() || rest.Succeeded() {
		t.Fatal("it rests before anything has failed")
	}
	rest.Failed()
	if rest.Allow() {
		t.Error("a call went through right after a failure")
	}
	now.Advance(time.Second)
	if !rest.Allow() || rest.Allow() {
		t.Error("after the rest, exactly one call goes through")
	}
	now.Advance(time.Second)
	if !rest.Allow() {
		t.Error("the one call never told how it went, and nobody asks any more")
	}
	if !rest.Succeeded() || rest.Succeeded() {
		t.Error("the success that ends the rest is told once")
	}
	if !rest.Allow() || !rest.Allow() {
		t.Error("it rests after a success")
	}
}

func TestARestNeedsAClock(t *testing.T) {
	t.Parallel()
	if _, err := redisx.NewRest(nil); err == nil {
		t.Error("made without a clock")
	}
}
