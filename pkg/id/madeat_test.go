package id_test

import (
	"testing"
	"time"

	"vitae.internal/pkg/id"
)

func TestMadeAtReturnsCreationTime(t *testing.T) {
	before := time.Now().Truncate(time.Millisecond)
	made := id.New("req")
	after := time.Now()
	at, ok := id.MadeAt("req", made)
	if !ok || at.Before(before) || at.After(after) {
		t.Errorf("MadeAt(%s) = %v, %v, want a time between %v and %v", made, at, ok, before, after)
	}
	for _, other := range []string{"", "req_", made[:len(made)-1], made + "0", "job" + made[3:], "req_ZZZZZZZZZZZZZZZZZZZZZZZZZZ"} {
		if at, ok := id.MadeAt("req", other); ok || !at.IsZero() {
			t.Errorf("MadeAt(%q) = %v, want not ok", other, at)
		}
	}
}

func TestNewAtUsesGivenTime(t *testing.T) {
	then := time.Date(2029, 2, 28, 23, 59, 59, 999_000_000, time.UTC)
	one, same, later := id.NewAt("req", then), id.NewAt("req", then), id.NewAt("req", then.Add(time.Millisecond))
	if at, ok := id.MadeAt("req", one); !ok || !at.Equal(then) || !id.Valid("req", one) {
		t.Errorf("MadeAt(%s) = %v, %v", one, at, ok)
	}
	if one == same || one >= later || same >= later {
		t.Errorf("want two different ids (%s, %s) that sort before %s", one, same, later)
	}
}
